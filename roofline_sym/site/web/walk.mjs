// From what is given to a target, step by step, as Python's walk does: a given value stops it, an absent part is 0,
// a default fills in where nothing is given.
//
// book = { equations: { name: ["its inputs", function of them] }, defaults: { name: value }, absent: [name, …] }

const UNKNOWN = 1; // stands in for what is missing while the rest is found

/**
 * Compute a quantity; gives { step, missing }.
 *
 * A step is { name, value, origin, parts } with the origin "given", "default", "equation" or "missing". What is missing
 * and changes nothing (the width of an expert where there are none) is no fault, and is left out of the parts.
 */
export function walk(target, given, book) {
  const step = walker(given, book)(target);
  return { step, missing: step.missing };
}

/** The same for many targets, which share their steps: a function from a name to its step. */
export function walker(given, book) {
  const steps = new Map();
  const step = (name) => {
    if (!steps.has(name)) steps.set(name, computed(name));
    return steps.get(name);
  };

  const computed = (name) => {
    if (Object.hasOwn(given, name)) return { name, value: given[name], origin: "given", parts: [], missing: [] };
    if (Object.hasOwn(book.equations, name)) return evaluated(name);
    if (book.absent.includes(name)) return { name, value: 0, origin: "default", parts: [], missing: [] };
    if (Object.hasOwn(book.defaults, name)) return { name, value: book.defaults[name], origin: "default", parts: [], missing: [] };
    return { name, value: UNKNOWN, origin: "missing", parts: [], missing: [name] };
  };

  const evaluated = (name) => {
    const [inputs, formula] = book.equations[name];
    const parts = inputs ? inputs.split(" ").map(step) : [];
    const values = parts.map((part) => part.value);
    const value = formula(...values);
    const needed = parts.filter((part, place) => part.missing.length === 0 || matters(formula, values, place, value));
    return { name, value, origin: "equation", parts: needed, missing: [...new Set(needed.flatMap((part) => part.missing))] };
  };

  return step;
}

/** Whether a value changes with one of its inputs; a probe outside of the formula's domain says nothing. */
export function matters(formula, values, place, value) {
  const at = (other) => formula(...values.map((known, index) => (index === place ? other : known)));
  return [1e-6, 3, 1e9].map(at).some((other) => Number.isFinite(other) && other !== value);
}

/** The same with the book of the page. */
export const walked = (target, given) => walk(target, given, globalThis.roofline);
