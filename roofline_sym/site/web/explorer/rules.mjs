// Rules of what can be, as roofline_sym/rules.py has them: [formula as nested lists, what is said where it is not 0].
import { numberText } from "../format.mjs";

const DONE = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "%": (a, b) => a % b, "//": (a, b) => Math.floor(a / b),
  "==": (a, b) => a === b, "!=": (a, b) => a !== b, ">": (a, b) => a > b,
};

/** What is said of numbers by the rules that they break, in the order of the rules. */
export const broken = (rules, numbers) => rules.filter(([formula]) => value(formula, numbers)).map(([, says]) => filled(says, numbers));

const value = (tree, numbers) =>
  Array.isArray(tree) ? DONE[tree[0]](value(tree[1], numbers), value(tree[2], numbers)) : typeof tree === "string" ? numbers[tree] : tree;

/** A text with numbers in its braces; in groups of three where it asks for that. */
export const filled = (text, numbers) =>
  text.replace(/\{(\w+)(:,)?\}/g, (_, name, groups) => (groups ? numberText(numbers[name], 16) : String(numbers[name])));
