// What a calculator shows for a state: a pure function, the same when the site is built and in a browser.
//
// spec = { targets:  [{ name, label, steps, signed }, …]  the first is drawn; signed: it may be negative
//          fixed:    { name: value }                    in each quantity's own unit
//          presets:  { models: name, hardware: name }   entries of the catalogue
//          controls: [{ name, label, value, low, high, log, whole, factor, unit } or { name, label, value, words }, …]
//          over:     name of the control that the curve runs over, if there is a curve }
// state = { presets, values: { name: value }, over }
import { curve } from "./chart/curve.mjs";
import { drawer } from "./chart/drawer.mjs";
import { numberText, quantityText, stepOf } from "./format.mjs";
import { walk } from "./walk.mjs";

const chart = drawer({ curve });
const SAMPLES = 64; // points of a curve
const SIZES = { wide: { width: 640, height: 270, size: 13 }, narrow: { width: 320, height: 250, size: 12 } };

export const initial = (spec) => ({
  presets: { ...spec.presets },
  values: Object.fromEntries(spec.controls.map(({ name, value }) => [name, value])),
  over: spec.over,
});

/** The texts of the results and the controls, and the figure in both sizes. */
export function shown(spec, state = initial(spec), book = globalThis.roofline) {
  const given = { ...spec.fixed, ...preset(state, book), ...state.values };
  const results = spec.targets.map((target) => {
    const { step, missing } = walk(target.name, given, book);
    return missing.length || !sensible(step.value, target) ? { text: "no value for these inputs", value: NaN } : { text: quantityText(step.value, target.steps), value: step.value };
  });
  return {
    results: results.map(({ text }) => text),
    texts: spec.controls.map((control) => controlText(control, state.values[control.name])),
    figure: state.over ? figure(spec, state, given, results[0].value, book) : null,
  };
}

/** What a page shows before its script runs: what the curve runs over, the above, and where each slider stands. */
export function begun(spec) {
  const over = telling(spec);
  const sliders = spec.controls.map((control) => (control.words ? null : [share(control, control.value), plain(control.value * control.factor)]));
  return { over, sliders, ...shown({ ...spec, over }) };
}

/** Whether a number can be one of a target: inputs that contradict each other give less than nothing. */
const sensible = (value, { signed }) => Number.isFinite(value) && (signed || value >= 0);

/** The first control that moves the first result by a twentieth between its ends: a curve over it tells most. */
export function telling(spec, book = globalThis.roofline) {
  const state = initial(spec);
  const given = { ...spec.fixed, ...preset(state, book), ...state.values };
  const at = ({ name }, value) => walk(spec.targets[0].name, { ...given, [name]: value }, book).step.value;
  const moves = (control) => Math.abs(at(control, control.high) - at(control, control.low)) > Math.abs(at(control, control.value)) / 20;
  return spec.controls.find((control) => !control.words && moves(control))?.name ?? spec.over;
}

/** The values that chosen entries of the catalogue give. */
export function preset(state, { catalogue }) {
  const given = {};
  for (const [kind, name] of Object.entries(state.presets)) {
    if (!name) continue;
    const { quantities, rows } = catalogue[kind];
    rows[name].forEach((value, place) => value === null || (given[quantities[place]] = value));
  }
  return given;
}

export const controlText = ({ words, factor, unit }, value) => (words ? words[value - 1].replaceAll("_", " ") : `${numberText(value * factor, 4)} ${unit}`.trim());

function figure(spec, state, given, result, book) {
  const control = spec.controls.find(({ name }) => name === state.over);
  const [target] = spec.targets;
  const at = (value) => walk(target.name, { ...given, [control.name]: value }, book).step.value;
  const samples = Array.from({ length: SAMPLES }, (_, i) => along(control, i / (SAMPLES - 1)));
  const values = [...new Set([...samples, state.values[control.name]])].sort((a, b) => a - b);
  const found = values.map((value) => [value, at(value)]).filter(([, y]) => sensible(y, target));
  if (!Number.isFinite(result) || found.length < 2) return null;

  const log = found.every(([, y]) => y > 0);
  const [, factor, unit] = stepOf(result, target.steps);
  const points = found.map(([x, y]) => [x * control.factor, y * factor]);
  const ys = points.map(([, y]) => y);
  const text = quantityText(result, target.steps);
  const drawn = {
    kind: "curve",
    title: `${target.label} over ${lower(control.label)}`,
    description: `${target.label} is ${text} at ${controlText(control, state.values[control.name])}.`,
    x: { label: named(control.label, control.unit), scale: control.log ? "log" : "linear", from: control.low * control.factor, to: control.high * control.factor },
    y: { label: named(target.label, unit), scale: log ? "log" : "linear", ...range(ys, log) },
    lines: [{ name: "", points }],
    point: { at: [state.values[control.name] * control.factor, result * factor], label: text },
  };
  return Object.fromEntries(Object.entries(SIZES).map(([name, size]) => [name, chart(drawn, { ...size, id: `${spec.id}-${name}` })]));
}

/** The nearest value that a control can have. */
export function bounded({ words, whole, low, high }, value) {
  const [least, most] = words ? [1, words.length] : [low, high];
  return Math.min(Math.max(words || whole ? Math.round(value) : value, least), most);
}

/** A control's value at a share of its way. */
export function along({ low, high, log, whole }, share) {
  const value = log ? low * (high / low) ** share : low + (high - low) * share;
  if (whole) return Math.round(value);
  return share === 0 ? low : share === 1 ? high : Number(value.toPrecision(3));
}

/** The share of its way at which a control has a value. */
export const share = ({ low, high, log }, value) => (log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low));

/** A number as a box shows it. */
export const plain = (value) => (Math.abs(value) < 1e7 ? String(Number(value.toPrecision(6))) : Number(value.toPrecision(6)).toExponential().replace("+", ""));

const named = (label, unit) => (unit ? `${label} in ${unit}` : label);
const lower = (text) => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);

function range(values, log) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!log) return { from: Math.min(0, low), to: high > 0 ? high * 1.1 : 1 };
  return high / low < 4 ? { from: low / 2, to: high * 2 } : { from: low / 1.3, to: high * 1.3 };
}
