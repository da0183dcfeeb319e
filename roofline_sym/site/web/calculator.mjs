// Calculators on a page: sliders, boxes, presets, reset and a link that holds the state.
import { along, bounded, initial, plain, preset, share, shown } from "./calculation.mjs";

const TRACK = 1000; // steps of a slider

function start(element) {
  const spec = JSON.parse(element.querySelector("script").textContent);
  const find = (selector) => element.querySelector(selector);
  const state = initial(spec);
  const rows = spec.controls.map((control) => ({ control, row: find(`[data-control="${control.name}"]`) }));
  const alone = document.querySelectorAll(".calculator").length === 1;
  const key = (name) => (alone ? name : `${spec.targets[0].name}.${name}`);

  const parts = rows.map(({ control, row }) => ({ control, slider: row.querySelector("[type=range]"), box: row.querySelector("[type=text]"), choice: row.querySelector("select") }));
  const outputs = [...element.querySelectorAll("output")];
  const selects = [...element.querySelectorAll("[data-preset]")];

  const draw = () => {
    const { results, texts, figure } = shown(spec, state);
    outputs.forEach((output, place) => (output.textContent = results[place]));
    parts.forEach(({ control, slider, box, choice }, place) => {
      const value = state.values[control.name];
      if (choice) return void (choice.value = value);
      slider.value = TRACK * share(control, value);
      slider.setAttribute("aria-valuetext", texts[place]);
      box.value = plain(value * control.factor);
    });
    selects.forEach((select) => (select.value = state.presets[select.dataset.preset] ?? ""));
    for (const size of figure ? ["wide", "narrow"] : []) find(`figure .${size}`).innerHTML = figure[size]; // our own drawing of numbers
    if (find("figure")) find("figure").hidden = !figure;
  };

  const set = (control, value) => {
    if (!Number.isFinite(value)) return draw();
    state.values[control.name] = bounded(control, value);
    state.over = control.name;
    forget(spec, state, control.name);
    draw();
  };

  const settled = () => {
    find("[role=status]").textContent = `${spec.targets[0].label}: ${outputs[0].textContent}`;
    remember(changes(spec, state), key, spec);
  };

  for (const { control, slider, box, choice } of parts) {
    if (choice) {
      choice.addEventListener("change", () => ((state.values[control.name] = Number(choice.value)), draw(), settled()));
      continue;
    }
    slider.addEventListener("input", () => set(control, along(control, slider.value / TRACK)));
    slider.addEventListener("change", settled);
    box.addEventListener("change", () => (set(control, number(box.value) / control.factor), settled()));
  }
  for (const select of selects)
    select.addEventListener("change", () => {
      choose(spec, state, select.dataset.preset, select.value);
      draw();
      settled();
    });
  find("[data-reset]").addEventListener("click", () => (Object.assign(state, initial(spec)), draw(), settled()));

  recall(spec, state, key);
  addEventListener("popstate", () => (Object.assign(state, initial(spec)), recall(spec, state, key), draw()));
  for (const still of element.querySelectorAll("fieldset, button")) still.disabled = false;
  draw();
}

/** An entry of the catalogue, or none; the controls whose values it gives follow it. */
function choose(spec, state, kind, name) {
  if (name && !Object.hasOwn(globalThis.roofline.catalogue[kind].rows, name)) return;
  state.presets[kind] = name;
  const given = preset({ presets: { [kind]: name } }, globalThis.roofline);
  for (const control of spec.controls) if (control.name in given) state.values[control.name] = bounded(control, given[control.name]);
}

/** Where a calculator began without an entry, one that was chosen no longer holds once a value of it is changed. */
function forget(spec, state, name) {
  for (const [kind, entry] of Object.entries(spec.presets))
    if (!entry && globalThis.roofline.catalogue[kind].quantities.includes(name)) state.presets[kind] = "";
}

/** What a text says; commas are between groups of three, for elsewhere they may mean a point. */
function number(text) {
  const digits = text.replace(/[_\s]/g, "").replace(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  return digits ? Number(digits) : NaN;
}

/** What differs from the start, as it stands in the address. */
function changes(spec, state) {
  const at = initial(spec);
  const presets = Object.entries(state.presets).filter(([kind, name]) => name !== at.presets[kind]);
  const values = spec.controls.filter(({ name }) => state.values[name] !== at.values[name]).map(({ name }) => [name, state.values[name]]);
  return Object.fromEntries([...presets, ...values]);
}

function remember(changed, key, spec) {
  const query = new URLSearchParams(location.search);
  for (const name of [...Object.keys(spec.presets), ...spec.controls.map((control) => control.name)]) query.delete(key(name));
  for (const [name, value] of Object.entries(changed)) query.set(key(name), value);
  const text = query.toString();
  try {
    history.replaceState(null, "", `${location.pathname}${text ? `?${text}` : ""}${location.hash}`);
  } catch {
    // a browser may not let a page from a file change its address
  }
}

function recall(spec, state, key) {
  const query = new URLSearchParams(location.search);
  for (const kind of Object.keys(spec.presets)) if (query.has(key(kind))) choose(spec, state, kind, query.get(key(kind)));
  for (const control of spec.controls) {
    const value = number(query.get(key(control.name)) ?? "");
    if (Number.isFinite(value)) state.values[control.name] = bounded(control, value);
  }
}

for (const element of document.querySelectorAll(".calculator")) start(element);
