// The figures of a scenario, as chart.mjs takes them; no text of a reader's own goes into them.
import { numberText, quantityText } from "../format.mjs";
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
    title: "The roofline of one device, with the phases",
    description: [`The roof turns at ${numberText(ridge)} FLOP/byte.`, ...marks.map(({ note }) => `${note}.`)].join(" "),
    x: { label: "arithmetic intensity in FLOP/byte", from: low, to: high },
    y: { label: "throughput of one device in FLOP/s", from: Math.min(points[0][1], ...marks.map(({ at }) => at[1])) / 2, to: peak_flops * 3 },
    lines: [{ name: text("peak_flops", peak_flops, data), points, knee: { at: points[1], label: `ridge ${numberText(ridge, 3)}`, note: `${numberText(ridge)} FLOP/byte` } }],
    marks,
    regions: [{ name: "memory-bound", side: "low", from: low, to: ridge }, { name: "compute-bound", side: "high", from: ridge, to: high }],
  };
}

/** Bytes on one device in a stack, beside what it holds. */
function stack(title, parts, limit, data) {
  const held = parts.filter(([, value]) => value > 0);
  if (!Number.isFinite(limit.value) || held.some(([, value]) => !Number.isFinite(value))) return null;
  const total = held.reduce((sum, [, value]) => sum + value, 0);
  const [, factor, unit] = data.units[data.names[BYTES].unit].findLast(([least]) => Math.max(total, limit.value) >= least);
  return {
    kind: "bars", title,
    description: `${held.map(([name, value]) => `${name} ${text(BYTES, value, data)}`).join(", ")}: ${text(BYTES, total, data)} together, ${limit.name} ${text(BYTES, limit.value, data)}.`,
    x: { label: `${unit} on each device`, scale: "linear", from: 0, to: Math.max(total, limit.value) * factor * 1.06 },
    bars: [{ name: "memory", parts: held.map(([name, value, tone]) => ({ name, value: value * factor, text: text(BYTES, value, data), tone })) }],
    limit: { value: limit.value * factor, name: limit.name },
  };
}

function trainMemory({ memory }, data) {
  const [weights, gradients, optimizer] = memory.split;
  const parts = [["weights", weights], ["gradients", gradients], ["optimizer states", optimizer], ["activations", memory.steps.activations.value], ["logits", memory.steps.logit_memory?.value ?? 0]];
  return stack("Memory in training", parts.map(toned), { value: memory.capacity, name: "capacity" }, data);
}

function serveMemory({ step, memory }, data) {
  const parts = [["weights", step("device_weights").value], ["KV cache", step("device_cache").value]];
  return stack("Memory in serving", parts.map(toned), { value: memory.capacity, name: "usable" }, data);
}

const toned = ([name, value, tone], place) => [name, value, tone ?? place];

/** Times as shares of their sum, so that a long phase and a short one stand side by side. */
function shares(title, rows, data) {
  const bars = rows.map(({ name, total, parts }) => ({
    name: `${name} ${text(TIME, total, data)}`,
    parts: parts.filter(([, value]) => value > total * 1e-9).map(([part, value, tone]) => ({ name: part, value: (100 * value) / total, text: text(TIME, value, data), tone })),
  }));
  if (!bars.length || rows.some(({ total }) => !(total > 0 && Number.isFinite(total)))) return null;
  return {
    kind: "bars", title,
    description: bars.map((bar) => `${bar.name}: ${bar.parts.map((part) => `${part.name} ${part.text}`).join(", ")}.`).join(" "),
    x: { label: "% of the time", scale: "linear", from: 0, to: 100 }, bars,
  };
}

function trainStep({ step }, data) {
  const parts = [["computing", "computing_step_time"], ["bubble", "bubble_step_time"], ["communication that shows", "exposed_step_time"]];
  if (step("step_time").missing.length) return null;
  return shares("Where the time of a training step goes", [{ name: "step", total: step("step_time").value, parts: parts.map(([name, of]) => [name, step(of).value]).map(toned) }], data);
}

function serveStep({ step }, data) {
  const rows = ["prefill", "decode"].filter((phase) => !step(`${phase}_operator_time`).missing.length).map((phase) => {
    const total = step(`${phase}_operator_time`).value;
    const parts = ["projection", "core", "network", "head", "expert"].map((part) => [data.parts.serve[phase][`${phase}_${part}_time`], step(`${phase}_${part}_time`).value]);
    const rest = total - parts.reduce((sum, [, value]) => sum + value, 0);
    return { name: phase, total, parts: [...parts, ["latencies and messages", rest, "rest"]].map(toned) };
  });
  return shares("Where the time of serving goes", rows, data);
}
