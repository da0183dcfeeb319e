// What a family's rule comes to: the trees of `roofline_sym.config.rules`, walked as they are walked there.
import { truth } from "./python.mjs";

/** What a rule comes to without a value: the keys that the config does not say, or why its values do not fit. */
export class Unsaid {
  constructor(keys, fault) {
    this.keys = keys;
    this.fault = fault;
  }
}

const refuse = (fault) => {
  throw new Unsaid([], fault);
};
const int = (value) => (typeof value === "boolean" ? BigInt(value) : value);
const whole = (operation) => (a, b, told) => operation(int(a), int(b), told);
const isNumber = (value) => ["bigint", "number", "boolean"].includes(typeof value); // as Python counts
const same = (a, b) => (isNumber(a) && isNumber(b) ? a == b : a === b);
const among = (item, list) => list.some((other) => same(item, other));
const rest = (a, b, told) => (b ? ((a % b) + b) % b : refuse(`${told} divides by 0`));

/** `told` is what to name in an error, `shown` puts a value into it. */
const operations = (shown) => {
  const length = (list, told) => (Array.isArray(list) ? BigInt(list.length) : refuse(`${told} must be a list, got ${shown(list)}`));
  return {
    "+": whole((a, b) => a + b),
    "-": whole((a, b) => a - b),
    "*": whole((a, b) => a * b),
    "/": whole((a, b, told) => (rest(a, b, told) ? refuse(`${told} is not a whole number (${a} / ${b})`) : a / b)),
    "//": whole((a, b, told) => (a - rest(a, b, told)) / b),
    "%": whole(rest),
    item: (list, at, told) =>
      at < length(list, told) ? list[at] : refuse(`${told} has ${list.length} items, fewer than there are layers`),
    len: length,
    "==": same,
    "!=": (a, b) => !same(a, b),
    "<": (a, b) => a < b,
    "<=": (a, b) => a <= b,
    ">": (a, b) => a > b,
    ">=": (a, b) => a >= b,
    in: among,
    "not in": (a, b) => !among(a, b),
  };
};

/** A number, a truth value, null or Unsaid, which is thrown with a fault; `say` gives the value of a key, `layers` is how many blocks there are. */
export function apply(tree, say, layers, shown) {
  const known = operations(shown);
  const local = { n_layers: layers };

  function strict(values, operation) {
    const unsaid = values.filter((value) => value instanceof Unsaid);
    return unsaid.length ? new Unsaid(unsaid.flatMap((value) => value.keys)) : operation(...values);
  }

  function count(condition) {
    let total = 0n;
    for (let i = 0n; i < layers; i++) {
      local.i = i;
      const holds = walk(condition);
      if (holds instanceof Unsaid) return holds;
      total += BigInt(truth(holds));
    }
    return total;
  }

  function walk(node) {
    if (typeof node === "string") return local[node] ?? say(node);
    if (!Array.isArray(node)) return typeof node === "number" ? BigInt(node) : node;
    const [sign, ...parts] = node;
    if (sign === "text") return parts[0];
    if (sign === "layers") return count(parts[0]);
    if (sign === "or") {
      let value;
      for (const part of parts) if ((value = walk(part)) !== null && !(value instanceof Unsaid)) break;
      return value;
    }
    if (sign === "if") {
      const test = walk(parts[0]);
      return test instanceof Unsaid ? test : walk(parts[truth(test) ? 1 : 2]);
    }
    const values = parts.map(walk);
    if (sign === "list") return values;
    if (sign === "not") return strict(values, (value) => !truth(value));
    if (sign === "and") return strict(values, (...all) => all.every(truth));
    return strict(values.map((value) => value ?? new Unsaid([])), known[sign]);
  }

  return walk(tree);
}
