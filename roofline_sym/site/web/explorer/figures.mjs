// The figures of a scenario, as chart.mjs takes them; no text of a reader's own goes into them.
import { numberText, quantityText, stepOf } from "../format.mjs";
import { walker } from "../walk.mjs";

const BYTES = "hbm_capacity", TIME = "step_time";

export function figures(found, data) {
  const { train, serve } = found;
  const drawn = { roof: roof(found, data), train_memory: trainMemory(train, data), train_step: trainStep(train, data), serve_memory: serveMemory(serve, data), serve_step: serveStep(serve, data) };
  return Object.fromEntries(Object.entries(drawn).filter(([, spec]) => spec));
}

const text = (name, value, data) => quantityText(value, data.units[data.names[name].unit], 3);

/** The roof of the device, and each phase at its intensity and the rate it is taken to reach. */
function roof({ device, book, train, serve }, data) {
  const { peak_flops, hbm_bandwidth } = device.quantities;
  if (!peak_flops || !hbm_bandwidth) return null;
  const ridge = walker({ peak_flops, hbm_bandwidth }, book)("ridge_point").value;
  const phases = [["training", train, "layer_intensity"], ["decode", serve, "decode_intensity"], ["prefill", serve, "prompt_intensity"]];
  const marks = phases.flatMap(([name, { step, given }, intensity], phase) => {
    const { value, missing } = step(intensity);
    if (missing.length || !(value > 0) || (phase === 0 && "expert_size" in given)) return [];
    const reached = walker({ ...given, arithmetic_intensity: value, phase: phase + 1 }, book)("achieved_throughput").value;
    return [{ name, at: [value, reached], line: 0, note: `${name}: ${numberText(value)} FLOP/byte, ${text("peak_flops", reached, data)}` }];
  });
  const reach = [ridge, ...marks.map((mark) => mark.at[0])];
  const [low, high] = [10 ** Math.floor(Math.log10(Math.min(...reach) / 4)), 10 ** Math.ceil(Math.log10(Math.max(...reach) * 4))];
  // Both axes are logarithmic, so that a roof is two straight lines.
  const points = [low, ridge, high].map((x) => [x, walker({ peak_flops, hbm_bandwidth, arithmetic_intensity: x }, book)("attainable_throughput").value]);
  return {
    title: data.figures.roof,
    description: [`The roof turns at ${numberText(ridge)} FLOP/byte.`, ...marks.map(({ note }) => `${note}.`)].join(" "),
    x: { label: "arithmetic intensity in FLOP/byte", from: low, to: high },
    y: { label: "throughput of one device in FLOP/s", from: Math.min(points[0][1], ...marks.map(({ at }) => at[1])) / 2, to: peak_flops * 3 },
    lines: [{ name: text("peak_flops", peak_flops, data), points, knee: { at: points[1], label: `ridge ${numberText(ridge, 3)}` } }],
    marks,
    regions: [{ name: "memory-bound", side: "low", from: low, to: ridge }, { name: "compute-bound", side: "high", from: ridge, to: high }],
  };
}

/** Bars of parts, in words too; a part of nothing is left out. */
function barred(title, rows, quantity, scale, rest, data) {
  const bars = rows.map(({ name, total, parts }) => ({
    name: `${name} ${text(quantity, total, data)}`,
    parts: parts.map(([part, value, tone]) => ({ name: part, value: value * scale(total), text: text(quantity, value, data), tone })).filter(({ value }) => value > 1e-9),
  }));
  const said = bars.map((bar) => `${bar.name}: ${bar.parts.map((part) => `${part.name} ${part.text}`).join(", ")}.`);
  return { kind: "bars", title, description: said.join(" "), bars, ...rest };
}

/** Bytes on one device in a stack, beside what it holds. */
function stack(title, parts, limit, name, data) {
  const total = parts.reduce((sum, [, value]) => sum + value, 0);
  const most = Math.max(total, limit);
  if (!Number.isFinite(most)) return null;
  const [, factor, unit] = stepOf(most, data.units[data.names[BYTES].unit]);
  const rest = { x: { label: `${unit} on each device`, from: 0, to: most * factor * 1.06 }, limit: { value: limit * factor, name: `${name} ${text(BYTES, limit, data)}` } };
  return barred(title, [{ name: "together", total, parts }], BYTES, () => factor, rest, data);
}

function trainMemory({ memory }, data) {
  const [weights, gradients, optimizer] = memory.split;
  const { activations, logit_memory: logits } = memory.steps;
  const parts = [["weights", weights], ["gradients", gradients], ["optimizer states", optimizer], ["activations", activations.value], ["logits", logits?.value ?? 0]];
  return stack(data.figures.train_memory, parts, memory.capacity, "capacity", data);
}

function serveMemory({ step, memory }, data) {
  const parts = [["weights", step("device_weights").value], ["KV cache", step("device_cache").value]];
  return stack(data.figures.serve_memory, parts, memory.capacity, "usable", data);
}

/** Times as shares of their sum, so that a long phase and a short one stand side by side. */
function shares(title, rows, data) {
  if (!rows.length || rows.some(({ total }) => !(total > 0 && total < Infinity))) return null;
  return barred(title, rows, TIME, (total) => 100 / total, { x: { label: "% of the time", from: 0, to: 100 } }, data);
}

const lines = (step, labels, names) => names.map((name, tone) => [labels[name], step(name).value, tone]);

function trainStep({ step }, data) {
  const { value, missing } = step(TIME);
  const parts = lines(step, data.parts.train.step, ["computing_step_time", "bubble_step_time", "exposed_step_time"]);
  return missing.length ? null : shares(data.figures.train_step, [{ name: "step", total: value, parts }], data);
}

function serveStep({ step }, data) {
  const phases = ["prefill", "decode"].filter((phase) => !step(`${phase}_operator_time`).missing.length);
  const rows = phases.map((name) => {
    const total = step(`${name}_operator_time`).value;
    const parts = lines(step, data.parts.serve[name], ["projection", "core", "network", "head", "expert"].map((what) => `${name}_${what}_time`));
    return { name, total, parts: [...parts, ["latencies and messages", total - parts.reduce((sum, [, value]) => sum + value, 0), "rest"]] };
  });
  return shares(data.figures.serve_step, rows, data);
}
