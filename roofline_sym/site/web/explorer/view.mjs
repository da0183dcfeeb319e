// What the page shows of a scenario, as plain data: texts by key, lines that are hidden, verdicts, warnings, figures.
import { quantityText } from "../format.mjs";
import { scenario } from "./scenario.mjs";
import { figures } from "./figures.mjs";
import { remedies } from "./remedies.mjs";

export const WORKS = ["train", "serve"];
const MISSING = "–";
const BYTES = "hbm_capacity"; // is told as bytes are

/** A value of a quantity as a reader is told it; nothing that is no number. */
export function told(name, value, data) {
  if (!Number.isFinite(value)) return MISSING;
  const { unit, words } = data.names[name];
  if (words) return words[value - 1] ?? MISSING;
  if (value < 0 && data.counts.includes(name)) return "none";
  return quantityText(value, data.units[unit]);
}

/** Everything of a page that depends on what is chosen. */
export function viewed(state, data, own = {}) {
  const found = scenario(state, data, own);
  const view = { texts: {}, values: {}, hidden: [], works: {}, figures: {} };
  for (const work of WORKS) {
    numbers(work, found[work], data, view);
    view.works[work] = verdict(work, found[work], state, data, own);
  }
  view.figures = figures(found, data);
  view.announced = `${view.works[state.work].says}; ${data.headlines[state.work].map(([name, label]) => `${label}: ${view.texts[`${state.work}.${name}`]}`).join("; ")}`;
  return view;
}

/** Each number of the sheet; a line without one is hidden, and so is an operator that the model has not. */
function numbers(work, { step, memory, given }, data, view) {
  const sized = "expert_size" in given ? Object.keys(data.parts.train["from sizes"]) : [];
  const unread = work === "serve" && step("prefill_operator_time").missing.length > 0;
  const show = (key, found, row, optional) => {
    const absent = found.missing.length > 0 || (work === "train" && sized.includes(found.name)) || (found.value < 0 && !data.signed.includes(found.name));
    if (!absent) view.values[`${work}.${key}`] = found.value;
    view.texts[`${work}.${key}`] = absent ? MISSING : told(found.name, found.value, data);
    if (absent || (optional && found.value === 0)) view.hidden.push(row);
  };
  for (const [part, lines] of Object.entries(data.parts[work]))
    for (const [name, label] of Object.entries(lines)) {
      const row = `${work}.${part}.${name}`;
      if (part === "prefill" && unread) view.hidden.push(row);
      show(name, step(name), row, work === "serve" ? name.includes("_time") : label.startsWith("of which"));
    }
  for (const [key, found] of Object.entries(memory.steps)) show(key, found, `${work}.memory.${key}`, false);
  if (work === "serve") return;
  if (!memory.steps.logit_memory) view.hidden.push("train.memory.logit_memory");
  view.texts["train.memory"] = told(BYTES, memory.total, data);
  view.texts["train.capacity"] = told(BYTES, memory.capacity, data);
}

/** Whether it can be and fits, in words first. */
function verdict(work, found, state, data, own) {
  const { memory, faults, notes, step } = found;
  const bytes = (value) => told(BYTES, value, data);
  const wanted = Object.values(data.parts[work]).flatMap(Object.keys).flatMap((name) => step(name).missing);
  const lacking = data.of_device.filter((name) => wanted.includes(name));
  const warnings = [...faults, ...notes, ...(lacking.length ? [`left out for want of: ${lacking.join(", ")}`] : [])];
  const judged = (tone, says, why, help = []) => ({ tone, says, why, warnings, remedies: help });
  if (faults.length) return judged("void", "This cannot be", `${faults[0]}${faults.length > 1 ? "; and more, below" : ""}`);
  if (!Number.isFinite(memory.room)) return judged("bad", "It cannot be told", "the memory of the device is not known");
  const needs = `${bytes(memory.total)} are needed on each device, and ${work === "serve" ? "weights and cache may fill" : "it has"} ${bytes(memory.capacity)}`;
  if (memory.room >= 0) return judged("good", "It fits", `${needs}: ${bytes(memory.room)} are left`);
  return judged("bad", "It does not fit", `${needs}: ${bytes(-memory.room)} are missing`, remedies(work, found, state, data, own));
}
