// From what is chosen to what the equations are given, as training_sheet.py and deployment.py do it.
import { walker } from "../walk.mjs";
import { broken, filled } from "./rules.mjs";

/** The number that stands for a word of a switch. */
const code = (data, name, word) => data.names[name].words.indexOf(word) + 1;

/** An entry of the catalogue: its title and its quantities by name. */
export function entry({ quantities, rows }, name) {
  const [title, ...values] = rows[name];
  return { title, quantities: Object.fromEntries(quantities.map((q, i) => [q, values[i]]).filter(([, v]) => v !== null)) };
}

/** The model and the device that are chosen, from the catalogue or one's own, and both kinds of work. */
export function scenario(state, data, own = {}) {
  const model = own.model ?? { ...entry(data.models, state.model), limit: data.limits[state.model] ?? 0 };
  const known = own.device ?? { ...entry(data.hardware, state.device), peaks: data.peaks[state.device] };
  const device = { ...known, quantities: { ...known.quantities, ...(known.peaks && { peak_flops: known.peaks[state.format] }) } };
  const book = { equations: globalThis.roofline.equations, defaults: data.defaults, absent: data.absent };
  const chosen = { model, device, book, data };
  return { model, device, book, train: training(state, chosen), serve: serving(state, chosen) };
}

/** What the fields of one kind of work say: quantities by name; an empty one says nothing. */
function said(state, fields) {
  const values = fields.filter(({ key, quantity }) => quantity && state[key] !== "").map((field) => [field.quantity, numeric(field, state[field.key])]);
  return Object.fromEntries(values);
}

const numeric = ({ words, scale = 1 }, value) => (words ? words.indexOf(value) + 1 : value * scale);

function training(state, { model, device, book, data }) {
  const mine = said(state, [...data.fields.common, ...data.fields.train]);
  const given = { ...model.quantities, ...device.quantities, ...data.always.train, expert_tensor_parallel: 1, ...queries(model.quantities), ...mine };
  const before = walker(given, book)("daly_interval");
  const whole = before.missing.length ? given : { ...given, checkpoint_interval: before.value };
  const faults = layoutFaults(given, model.quantities, { split: given.sequence_parallel === code(data, "sequence_parallel", "on") ? 1 : 0, context: given.context_length }, book, data);
  const long = broken(data.rules.lengths, { limit: model.limit, context: given.context_length, whole: 0 });
  return { given, mine, step: walker(whole, book), memory: trainingMemory(given, model.quantities, book, data), faults, notes: [...long, ...shares(mine, data)] };
}

/** A key and a value for every query, as latent attention has them while it trains. */
function queries(model) {
  if ("head_dim" in model || !("qk_nope_head_dim" in model)) return {};
  return { head_dim: model.qk_nope_head_dim + model.qk_rope_head_dim, n_kv_heads: model.n_heads };
}

/** What a device of the first stage holds, part by part; what the equation gives with a part at 0 tells its share. */
function trainingMemory(given, model, book, data) {
  const classic = given.n_ffn_matrices === 2 && given.n_heads === given.n_kv_heads;
  const scores = given.recompute === code(data, "recompute", "selective") && !classic ? { flash_attention: code(data, "flash_attention", "on") } : {};
  const network = "expert_size" in model ? { intermediate_size: model.n_active_experts * model.expert_size + model.shared_expert_size } : {};
  const held = { ...given, context_length: given.context_length / given.context_parallel, ...scores, keep_gate: 0, ...network };
  const states = (changed) => walker({ ...given, ...changed }, book)("state_memory_per_device");
  const weights = states({ gradient_bytes_per_parameter: 0, optimizer_bytes_per_parameter: 0 }).value;
  const gradients = states({ optimizer_bytes_per_parameter: 0 }).value;
  const steps = {
    state_memory_per_device: states({}),
    activations: walker(held, book)(classic ? "stage_activation_memory" : "stage_gated_activation_memory"),
    ...(given.pipeline_parallel === 1 ? { logit_memory: walker(held, book)("logit_memory") } : {}),
  };
  const total = Object.values(steps).reduce((sum, step) => sum + step.value, 0);
  const capacity = given.hbm_capacity ?? NaN;
  const split = [weights, gradients - weights, steps.state_memory_per_device.value - gradients];
  return { steps, split, total, capacity, room: capacity - total };
}

function serving(state, { model, device, book, data }) {
  const mine = said(state, [...data.fields.common, ...data.fields.serve]);
  const { tensor_parallel: t, pipeline_parallel: p } = mine;
  const { expert_parallel: e, expert_tensor_parallel: te } = experts(model.quantities, t, mine.expert_parallel);
  const copies = Math.max(Math.floor(mine.n_devices / (t * p)), 1);
  const { prompt_length, output_length, ...rest } = mine;
  const lengths = mine.context_length ? {} : { prompt_length, output_length, context_length: Math.max(1, prompt_length + Math.floor(output_length / 2)) };
  const formats = { weight_bytes: data.stored[state.weights], kv_bytes: data.cached[state.kv] };
  const layout = { n_devices: t * p, data_parallel: copies, expert_parallel: e, expert_tensor_parallel: te };
  const given = { ...model.quantities, ...device.quantities, ...rest, ...lengths, ...formats, ...layout, ...data.always.serve };
  const whole = { cp: 1, interleave: 1, batch: copies, micro: 1, split: 0, context: 1 };
  const faults = layoutFaults({ ...given, n_devices: mine.n_devices }, model.quantities, whole, book, data);
  const long = { limit: model.limit, context: given.context_length, whole: (given.prompt_length ?? 0) + (given.output_length ?? 0) };
  const step = walker(given, book);
  const value = (name) => (step(name).missing.length ? NaN : step(name).value);
  const memory = { steps: {}, total: value("device_memory"), room: value("memory_room"), capacity: value("usable_memory") };
  return { given, mine, step, memory, faults: [...broken(data.rules.lengths, long), ...faults], notes: shares(mine, data) };
}

/** Devices that share the experts, and one expert: within a tensor group, or wider than it. */
function experts(model, t, e) {
  const within = model.n_moe_layers && t % e === 0;
  return { expert_parallel: e, expert_tensor_parallel: within ? t / e : 1 };
}

/** What is wrong with a layout, its numbers under the names that the rules have for them. */
function layoutFaults(given, model, more, book, data) {
  const names = { ...Object.fromEntries(Object.entries(data.rules.names).map(([key, name]) => [key, given[name]])), ...more };
  const used = walker({ ...given, context_parallel: names.cp }, book)("layout_devices").value;
  return broken(data.rules.layout, { ...names, ...shape(model), used, ranks: names.tp * names.dp * names.cp });
}

/** What must divide evenly in a model. */
function shape(model) {
  const experts = model.n_moe_layers ? (model.n_experts ?? 0) : 0;
  return {
    layers: model.n_layers, heads: model.n_heads, kv_heads: model.n_kv_heads ?? model.n_heads, experts,
    width: model.intermediate_size || model.expert_size || 0,
  };
}

/** Shares of more than all. */
const shares = (mine, data) =>
  data.shares.filter((name) => mine[name] > 1).map((name) => filled(data.rules.share, { name, got: mine[name] }));
