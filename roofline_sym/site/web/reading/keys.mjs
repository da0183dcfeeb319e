// What a config says under its keys: in any spelling, checked, with the defaults of its family's class.
import { grouped, repr } from "./python.mjs";
import { Unsaid } from "./rules.mjs";

const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
const isTable = (value) => value instanceof Map;
const typeOf = (value) =>
  Array.isArray(value) ? "list" : isTable(value) ? "table" : { boolean: "flag", string: "text" }[typeof value];

/**
 * A function from a key to its value, null or Unsaid, which remembers what it read and filled in.
 *
 * `levels` are the tables from the outermost to that of the language model, `path` is what leads there; `wrong` takes
 * what is wrong by its key.
 */
export function speaker(levels, path, defaults, tables, wrong, shown) {
  const [read, filled, said] = [new Set(), {}, new Map()];
  const spelt = (key) => own(tables.spellings, key) ?? [key];

  /** What stands under a key such as `attn_config.kv_n_heads`; tying may be said on an outer level. */
  function find(name) {
    const where = name === "tie_word_embeddings" ? levels : levels.slice(-1);
    const values = where.map((level) =>
      name.split(".").reduce((value, part) => (isTable(value) ? value.get(part) : undefined), level),
    );
    return values.findLast((value) => value !== undefined);
  }

  /** What a value should have been; nothing if it may be what it is. */
  function fault(key, value) {
    const { types, other_types, least, limits } = tables;
    const kind = own(types, key) ?? "count";
    if (value === null) return "";
    if (other_types[kind]) return typeOf(value) === kind ? "" : other_types[kind];
    if (typeof value !== "bigint" || value < least[kind]) return `a whole number of at least ${least[kind]}`;
    return value > limits.number && `at most ${grouped(limits.number)}`;
  }

  function ask(key) {
    const found = spelt(key)
      .map((name) => [name, find(name)])
      .filter(([, value]) => value !== undefined);
    if (!found.length) {
      const value = own(defaults, key);
      if (value === undefined) return new Unsaid([key]);
      filled[key] = value;
      return typeof value === "number" ? BigInt(value) : value;
    }
    let fine = true;
    const complain = (name, text) => {
      wrong.set(name, text);
      fine = false;
    };
    for (const [name, value] of found) {
      read.add(path + name);
      const wanted = fault(key, value);
      if (wanted) complain(name, `${name} must be ${wanted}, got ${shown(value)}`);
    }
    const values = found.filter(([, value]) => value !== null);
    if (fine && new Set(values.map(([, value]) => repr(value))).size > 1)
      complain(key, `${values.map(([name, value]) => `${name} = ${shown(value)}`).join(" and ")} differ`);
    return fine ? (values[0]?.[1] ?? null) : new Unsaid([]);
  }

  function say(key) {
    if (!said.has(key)) said.set(key, ask(key));
    return said.get(key);
  }
  return { say, spelt, read, filled };
}
