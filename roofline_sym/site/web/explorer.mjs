// The explorer's page: fields to state, state to numbers and figures; everything is computed here, nothing is sent.
import { bars } from "./chart/bars.mjs";
import { drawer } from "./chart/drawer.mjs";
import { roofline } from "./chart/roofline.mjs";
import { ownEntries } from "./explorer_own.mjs";
import { scenario } from "./explorer_scenario.mjs";
import { changed, fieldsOf, formats, fromQuery, toQuery } from "./explorer_state.mjs";
import { explain, make } from "./explorer_tree.mjs";
import { viewed } from "./explorer_view.mjs";

const chart = drawer({ roofline, bars });
const SIZES = { wide: { width: 720, height: 400, size: 13 }, narrow: { width: 358, height: 340, size: 12 } };
const find = (selector) => document.querySelector(`#explorer ${selector}`);
const all = (selector) => document.querySelectorAll(`#explorer ${selector}`);

const data = JSON.parse(find("#explorer-data").textContent);
const fields = fieldsOf(data);
const own = {};
let state = fromQuery(location.search, data);

/** Bring the page to the state; where no number can be had, it stays as it was. */
function show() {
  const view = viewed(state, data, own);
  for (const button of all("[data-key]")) button.textContent = view.texts[button.dataset.key];
  for (const text of all("[data-text]")) text.textContent = view.texts[text.dataset.text];
  for (const row of all("[data-row]")) row.hidden = view.hidden.includes(row.dataset.row);
  for (const table of all(".sheet table")) table.hidden = [...table.rows].every((row) => row.hidden);
  for (const part of all("[data-work]")) part.classList.toggle("shown", part.dataset.work === state.work);
  for (const [work, verdict] of Object.entries(view.works)) judge(work, verdict);
  for (const figure of all("[data-figure]")) draw(figure, view.figures[figure.dataset.figure]);
  try {
    history.replaceState(null, "", location.pathname + toQuery(state, data) + location.hash);
  } catch {
    // some browsers allow it on no file, or not so often
  }
  return view;
}

function judge(work, { tone, says, why, warnings, remedies }) {
  const box = find(`.answers.${work} .verdict`);
  box.dataset.tone = tone;
  box.children[0].textContent = says;
  box.children[1].textContent = why;
  const list = find(`.details .${work} .warnings`);
  list.replaceChildren(...warnings.map((text) => make("li", {}, text)));
  const help = remedies.map(({ says: told, change }) => {
    const button = make("button", { type: "button" }, told);
    button.addEventListener("click", () => take(change));
    return button;
  });
  find(`.details .${work} .remedies`).replaceChildren(...(help.length ? ["It would fit with ", ...help] : []));
}

function draw(figure, spec) {
  figure.hidden = !spec;
  if (spec) for (const [kind, size] of Object.entries(SIZES)) figure.querySelector(`.${kind}`).innerHTML = chart(spec, { ...size, id: `${figure.dataset.figure}-${kind}` });
}

/** Put the state into the fields, but for the one that is being typed in. */
function fill(except) {
  const known = formats(state, data, own);
  const format = find("[data-field=format]");
  if ([...format.options].map((option) => option.value).join() !== known.join()) format.replaceChildren(...known.map((word) => make("option", { value: word }, word)));
  for (const field of all("[data-field]")) {
    const { key, entries } = fields.get(field.dataset.field);
    if (field !== except) field.value = entries ? (own[key]?.title ?? entries[state[key]][0]) : String(state[key]);
  }
  find(`#work-${state.work}`).checked = true;
}

function take(change, field) {
  for (const [key, text] of Object.entries(change)) state = changed(state, key, text, data, own);
  fill(field);
  return announce(show());
}

/** Say it to those who do not see it, once a change is made. */
function announce(view) {
  find("#explorer-said").textContent = view.announced;
}

/** Fields with a list: a reader clicks, sees all of it, and types any part of a title. */
function searched(field) {
  field.addEventListener("focus", () => {
    field.placeholder = field.value;
    field.value = "";
  });
  field.addEventListener("blur", () => fill());
}

const keyOf = (target) => target.dataset.field ?? (target.name === "work" ? "work" : undefined);

find("").addEventListener("input", ({ target }) => {
  const key = keyOf(target);
  if (!key || (fields.get(key).entries && !target.value)) return;
  if (fields.get(key).entries) return;
  state = changed(state, key, target.value, data, own);
  show();
});

find("").addEventListener("change", ({ target }) => {
  const key = keyOf(target);
  if (!key) return;
  if (fields.get(key).entries && target.value) delete own[key];
  take({ [key]: target.value });
});

find("").addEventListener("click", ({ target }) => {
  const key = target.closest?.("[data-key]")?.dataset.key;
  if (!key) return;
  const [work, name] = key.split(".");
  const found = scenario(state, data, own);
  const step = found[work].memory.steps[name] ?? found[work].step(name);
  if (step.missing.length === 0) explain(find("#explorer-tree"), step, { work: found[work], model: found.model, device: found.device }, data);
});

find("#explorer-reset").addEventListener("click", () => {
  for (const key of Object.keys(own)) delete own[key];
  state = data.start;
  take({});
});

for (const field of all("input[list]")) searched(field);
ownEntries(find(".own"), own, data, () => take({}));
fill();
show();
