// The explorer's page: fields to state, state to numbers and figures; everything is computed here, nothing is sent.
import { bars } from "./chart/bars.mjs";
import { drawer } from "./chart/drawer.mjs";
import { roofline } from "./chart/roofline.mjs";
import { scenario } from "./explorer/scenario.mjs";
import { changed, fieldsOf, formats, fromQuery, named, toQuery } from "./explorer/state.mjs";
import { explain, make } from "./explorer/tree.mjs";
import { viewed } from "./explorer/view.mjs";

const chart = drawer({ roofline, bars });
const SIZES = { wide: { width: 720, height: 400, size: 13 }, narrow: { width: 358, height: 340, size: 12 } };
const root = document.querySelector("#explorer");
const find = (selector) => root.querySelector(selector);
const all = (selector) => root.querySelectorAll(selector);

const data = JSON.parse(find("#explorer-data").textContent);
const fields = fieldsOf(data);
const own = {};
let state = fromQuery(location.search, data);

/** Bring the page to the state; where no number can be had, it stays as it was. */
function show() {
  const view = viewed(state, data, own);
  for (const button of all("[data-key]")) write(button, view.texts[button.dataset.key]);
  for (const text of all("[data-text]")) text.textContent = view.texts[text.dataset.text];
  for (const row of all("[data-row]")) row.hidden = view.hidden.includes(row.dataset.row);
  for (const [work, verdict] of Object.entries(view.works)) judge(work, verdict);
  for (const figure of all("[data-figure]")) draw(figure, view.figures[figure.dataset.figure]);
  try {
    history.replaceState(null, "", location.pathname + toQuery(state, data, own) + location.hash);
  } catch {
    // some browsers allow it on no file, or not so often
  }
  return view;
}

/** A number into its button; a large one has a smaller unit. */
function write(button, text) {
  if (!button.children.length) return void (button.textContent = text);
  const [number, ...unit] = text.split(" ");
  button.children[0].textContent = number;
  button.children[1].textContent = unit.join(" ");
}

function judge(work, { tone, says, why, warnings, remedies }) {
  const box = find(`.${work} .judged`);
  box.dataset.tone = tone;
  box.children[0].textContent = says;
  box.children[1].textContent = why;
  const list = find(`.${work} .warnings`);
  list.replaceChildren(...warnings.map((text) => make("li", {}, text)));
  const help = remedies.map(({ says: told, change }) => {
    const button = make("button", { type: "button" }, told);
    button.addEventListener("click", () => take(change));
    return button;
  });
  find(`.${work} .remedies`).replaceChildren(...(help.length ? ["It would fit with ", ...help] : []));
}

function draw(figure, spec) {
  figure.hidden = !spec;
  if (spec) for (const [kind, size] of Object.entries(SIZES)) figure.querySelector(`.${kind}`).innerHTML = chart(spec, { ...size, id: `${figure.dataset.figure}-${kind}` });
}

/** Put the state into the fields. */
function fill() {
  const known = formats(state, data);
  const format = find("[data-field=format]");
  format.disabled = Boolean(own.device); // whose one peak is given
  if ([...format.options].map((option) => option.value).join() !== known.join()) format.replaceChildren(...known.map((word) => make("option", { value: word }, word)));
  for (const field of all("[data-field]")) {
    const { key, entries } = fields.get(field.dataset.field);
    field.value = entries ? (own[key]?.title ?? entries[state[key]][0]) : String(state[key]);
  }
  find(`#work-${state.work}`).checked = true;
}

/** Take changes as they are made; once they are, those who do not see the page are told. */
function take(change) {
  for (const [key, text] of Object.entries(change)) state = changed(state, key, text, data);
  fill();
  find("#explorer-said").textContent = show().announced;
}

/** Fields with a list: a reader clicks, sees all of it, and types any part of a title. */
function searched(field) {
  field.addEventListener("focus", () => {
    field.placeholder = field.value;
    field.value = "";
  });
  field.addEventListener("blur", fill);
}

const keyOf = (target) => target.dataset.field ?? (target.name === "work" ? "work" : undefined);

root.addEventListener("input", ({ target }) => {
  const key = keyOf(target);
  if (!key || fields.get(key).entries) return;
  state = changed(state, key, target.value, data);
  show();
});

root.addEventListener("change", ({ target }) => {
  const key = keyOf(target);
  if (!key) return;
  const { entries } = fields.get(key);
  if (entries && named(entries, target.value.trim())) delete own[key];
  take({ [key]: target.value });
});

root.addEventListener("click", ({ target }) => {
  const key = target.closest?.("[data-key]")?.dataset.key;
  if (!key) return;
  const [work, name] = key.split(".");
  const found = scenario(state, data, own);
  const step = found[work].memory.steps[name] ?? found[work].step(name);
  if (!step.missing.length) explain(find("#explorer-tree"), step, found[work].mine, found, data);
});

find("#explorer-reset").addEventListener("click", () => {
  for (const key of Object.keys(own)) delete own[key];
  for (const fault of all(".fault")) fault.textContent = "";
  state = data.start;
  take({});
});

addEventListener("popstate", () => {
  state = fromQuery(location.search, data); // as when one goes back over a link within the page
  take({});
});

/** What reads a reader's own model or device comes when a panel is opened; a script tag works on a disk too. */
function load() {
  const tables = JSON.parse(find("#explorer-tables").textContent);
  globalThis.roofline.own = { panels: find(".own"), own, show: () => take({}), tables };
  document.head.append(make("script", { src: "assets/explorer-own.js" }));
}

find(".own").addEventListener("toggle", load, { capture: true, once: true }); // which does not bubble
for (const field of all("input[list]")) searched(field);
const lost = new URLSearchParams(location.search).get("own")?.split(" ") ?? [];
for (const [key, id] of [["model", "#x-config-fault"], ["device", "#x-device-fault"]]) {
  if (!lost.includes(key)) continue;
  find(id).textContent = `this address was made with a ${key} of one's own, which it does not hold; paste it again`;
  find(id).closest("details").open = true;
}
fill();
show();
