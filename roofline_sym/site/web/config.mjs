// A pasted Hugging Face config as quantities of the notation, or refused with key and reason.
//
// It follows `roofline_sym.config.reader`, family by family and message by message; what it knows is `tables.config`
// of `roofline_sym.site.reading`.
import { speaker } from "./reading/keys.mjs";
import { suggestion } from "./reading/near.mjs";
import { parse } from "./reading/pasted.mjs";
import { first, grouped, shown as show, truth } from "./reading/python.mjs";
import { apply, Unsaid } from "./reading/rules.mjs";

/** A config that cannot be read: each key that is wrong, and what would be right. */
export class ConfigError extends Error {}

const isTable = (value) => value instanceof Map;
const isWhole = (value) => typeof value === "bigint";
const isSaid = (value) => value !== null && !(value instanceof Unsaid);
const has = (table, key) => truth(table.get(key) ?? null);

/**
 * The model that a text describes; `place` is what to call the text in an error, `name` what to call the model.
 *
 * Quantities are by the names of the notation; a limit or format that the config leaves out is null.
 */
export function readConfig(text, { config: tables }, { place = "config.json", name } = {}) {
  const { limits, parts_of, positive } = tables;
  const shown = (value, bare) => show(value, limits.bits, bare);
  const refuse = (reason) => {
    throw new ConfigError(place + reason);
  };

  // -- which model, of which family

  let config = parse(text, limits, shown, refuse);
  const levels = [config];
  let path = "";
  for (let inner; (inner = tables.language.find((key) => isTable(config.get(key)))); ) {
    levels.push((config = config.get(inner)));
    path += `${inner}.`;
    if (levels.length > limits.levels) refuse(` nests ${inner} more than ${limits.levels} levels deep`);
  }
  const family = familyName();
  const { rules: own, defaults, only, parts, kinds: known } = tables.families[family];
  const rules = { ...tables.base, ...own };
  const wrong = new Map();
  const { say, spelt, read, filled } = speaker(levels, path, defaults, tables, wrong, shown);
  read.add(`${path}model_type`);

  function familyName() {
    const given = config.get("model_type") ?? null;
    if (typeof given !== "string") {
      const says = given === null ? "does not say" : `says ${shown(given)} for`;
      refuse(` ${says} ${path}model_type; it names the family of the model, such as 'llama'`);
    }
    if (Object.hasOwn(tables.refused, given)) refuse(`: ${given} is outside of the model: ${tables.refused[given]}`);
    if (!Object.hasOwn(tables.families, given)) {
      const near = suggestion(first(given, 40), Object.keys(tables.families));
      refuse(
        `: no family ${shown(first(given, 40))} in ${tables.file}${near.includes("mean") ? near : ""}; ` +
          `a table for it must say ${tables.facts.join(", ")}`,
      );
    }
    return given;
  }

  // -- what follows from what it says

  /** What a rule comes to, its fault included. */
  function come(rule, layers = 1n, asked = say) {
    try {
      return apply(tables.rules[rule]?.[0] ?? rule, asked, layers, shown);
    } catch (fault) {
      if (fault instanceof Unsaid) return fault;
      throw fault;
    }
  }
  const keysOf = (rule) => tables.rules[rule]?.[1] ?? [rule];

  /** A config with a part that its family does not read is not what it says it is. */
  function refuseOtherParts() {
    for (const key in tables.parts)
      for (const name of spelt(key))
        if (!parts.includes(key) && has(config, name))
          wrong.set(name, `${name} tells of ${tables.parts[key]}, which a ${family} does not have`);
    for (const key in only) {
      const [value, covered] = [say(key), come(only[key])];
      if (isSaid(value) && isSaid(covered) && value != covered)
        wrong.set(key, `${key} = ${shown(value)} is outside of the model, which covers ${shown(covered)}`);
    }
  }

  /** Every count, and the dimensions of the kinds of layer that there are, in the order of the notation. */
  function quantities() {
    const layers = value("n_layers", 1n) || 1n;
    if (layers > limits.layers) refuse(`: ${grouped(layers)} layers are more than any model has`);
    const kinds = { n_layers: layers };
    for (const kind of ["n_window_layers", "n_mla_layers", "n_moe_layers"]) kinds[kind] = value(kind, layers) ?? 0n;
    kinds.n_attention_layers = layers - kinds.n_window_layers - kinds.n_mla_layers;
    kinds.n_dense_layers = layers - kinds.n_moe_layers;
    const values = { ...kinds };
    for (const name in rules) {
      const there = parts_of[name]?.some((kind) => kinds[kind]) ?? true;
      values[name] ??= there ? value(name, layers) : positive.includes(name) ? null : 0n;
    }
    checkSense(values);
    checkLayerTypes(layers);
    return Object.fromEntries(tables.order.flatMap((n) => (isWhole(values[n]) ? [[n, Number(values[n])]] : [])));
  }

  /** What the family's rule for a quantity comes to; null after writing down what is wrong. */
  function value(name, layers) {
    const rule = rules[name];
    const fail = (text) => (wrong.set(name, text), null);
    if (tables.switches[name]) return BigInt(tables.switches[name].indexOf(rule) + 1);
    const result = come(rule, layers);
    if (result instanceof Unsaid) {
      if (result.fault) return fail(result.fault);
      for (const key of result.keys.sort()) {
        const others = spelt(key).slice(1).join(", ");
        if (!wrong.has(key)) wrong.set(key, `${key} is missing${others && ` (also spelt ${others})`}`);
      }
      if (result.keys.length || wrong.size) return null;
    }
    if (!isSaid(result) || Array.isArray(result)) return fail(`${keysOf(rule).join(" or ")} must not be null`);
    const number = BigInt(result);
    return number > 0 || (!number && !positive.includes(name)) ? number : fail(`${name} = ${rule} comes to ${number}`);
  }

  /** What must hold of any model, by the table's own list. */
  function checkSense(values) {
    for (const rule in tables.sense) {
      const holds = come(rule, 1n, (name) => values[name] ?? null);
      const numbers = keysOf(rule).map((name) => `${name} = ${values[name]}`);
      if (isSaid(holds) && !truth(holds)) wrong.set(rule, `${tables.sense[rule]} (${numbers.join(", ")})`);
    }
  }

  /** Some configs name each layer's kind: no kind that the family's rule does not count, and all layers. */
  function checkLayerTypes(layers) {
    const given = config.get("layer_types");
    if (!Array.isArray(given)) return;
    const unknown = given.filter((kind) => kind !== "full_attention" && !known.includes(kind));
    const some = [...new Set(unknown.map((kind) => shown(kind)))].slice(0, 4);
    const says = some.length
      ? `${some.join(", ")}, which ${family} does not cover`
      : given.length != layers && `${given.length} items for ${layers} layers`;
    if (says) wrong.set("layer_types", `layer_types has ${says}`);
  }

  /** The longest context: what YaRN stretches the trained one to, where that is more than the config says. */
  function contextLimit() {
    const [limit, scaling] = [say("max_position_embeddings"), say("rope_scaling")];
    if (!isSaid(limit)) return null;
    const kind = isTable(scaling) && scaling.get(scaling.has("rope_type") ? "rope_type" : "type");
    if (kind !== "yarn") return Number(limit);
    const factor = scaling.get("factor") ?? null;
    const of = "original_max_position_embeddings";
    const trained = scaling.has(of) ? scaling.get(of) : limit;
    const fail = (says, value) => wrong.set("rope_scaling", `rope_scaling ${says}, got ${shown(value)}`);
    const fits = (number) => number >= 1 && number <= limits.number;
    if (!["bigint", "number"].includes(typeof factor) || !fits(factor))
      fail("needs a factor of at least 1 for YaRN", factor);
    else if (!isWhole(trained) || !fits(trained)) fail(`must have a whole number of at least 1 for ${of}`, trained);
    else return Math.max(Number(limit), Number(isWhole(factor) ? factor * trained : Math.trunc(factor * Number(trained))));
    return null;
  }

  /** How the weights are stored, where the config says so: it changes no count, and must be known. */
  function quantization() {
    const key = "quantization_config";
    const given = levels.map((level) => level.get(key) ?? null).filter(isSaid);
    for (const stored of given) {
      const method = isTable(stored) ? (stored.get("quant_method") ?? null) : null;
      if (!isTable(stored)) wrong.set(key, `${key} must be a table, got ${shown(stored)}`);
      else if (!tables.quantization.includes(method)) {
        const near = suggestion(shown(method, true), tables.quantization);
        wrong.set(key, `${key} has no known quant_method: ${shown(method)}${near}`);
      }
    }
    return given.length ? [key] : [];
  }

  /** NaN and the infinities, which Python reads and JSON does not have. */
  function refuseNotFinite() {
    const pending = [...config];
    while (pending.length) {
      const [key, value] = pending.pop();
      if (typeof value === "number" && !Number.isFinite(value) && !wrong.has(key))
        wrong.set(key, `${shown(key, true)} = ${shown(value)} is no number of JSON`);
      const inner = isTable(value) ? value : Array.isArray(value) ? value.map((item) => ["", item]) : [];
      for (const [name, item] of inner) pending.push([name ? `${key}.${name}` : key, item]);
    }
  }

  refuseOtherParts();
  const result = { family, quantities: quantities(), contextLimit: contextLimit(), filled };
  const [dtype, stored, given] = [say("dtype"), quantization(), levels[0].get("_name_or_path")];
  refuseNotFinite();
  if (wrong.size) refuse(`: ${[...wrong.values()].slice(0, 12).join("; ")}`);
  return {
    ...result,
    name: name || shown(has(levels[0], "_name_or_path") ? given : "config", true),
    dtype: isSaid(dtype) ? dtype : null,
    notCounted: [...tables.not_counted.filter((key) => levels.some((level) => has(level, key))), ...stored],
    notRead: [...config.keys()].filter((key) => !read.has(path + key) && !read.has(key)),
  };
}
