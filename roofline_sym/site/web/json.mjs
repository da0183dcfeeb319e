// JSON as Python reads it: whole numbers exactly, NaN and the infinities, no key twice, and its words for what is wrong.
//
// A whole number becomes a BigInt, another a number, a table a Map: no key of a text is ever a property of an object.

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}(?!$)))*/y; // without the quote that ends it
const WORDS = { null: null, true: true, false: false, NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

/** How many brackets are open at once, outside of strings. */
export function depth(text) {
  let [open, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (quoted && c === "\\") at++;
    else if (c === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c === "[" || c === "{") deepest = Math.max(deepest, ++open);
    else if (c === "]" || c === "}") open--;
  }
  return deepest;
}

/**
 * What a text holds; each of the functions is told what it does not, and throws.
 *
 * `wrong` is told what stands wrong and in which line, `twice` the keys that a table has more than once, `long` that a
 * whole number has more digits than `longest`.
 */
export function parseJson(text, { longest, wrong, twice, long }) {
  let at = 0;

  const fail = (message, where = at) => wrong(message, text.slice(0, where).split("\n").length);
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const space = () => match(SPACE);

  function string() {
    const start = at;
    const [found] = match(STRING);
    const [c, kind] = [text[at], text[at + 1]];
    if (c === '"') return at++, JSON.parse(`${found}"`);
    if (c < " ") fail("Invalid control character at");
    if (!kind) fail("Unterminated string starting at", start);
    return fail(kind === "u" ? "Invalid \\uXXXX escape" : "Invalid \\escape");
  }

  /** A number, or a word that Python takes for a value. */
  function number() {
    const found = match(NUMBER);
    if (!found) {
      for (const word in WORDS) if (text.startsWith(word, at)) return (at += word.length), WORDS[word];
      return fail("Expecting value");
    }
    const [all, whole, part, power] = found;
    if (part || power) return Number(all);
    return whole.replace("-", "").length > longest ? long() : BigInt(whole);
  }

  /** What stands between brackets, item by item, up to the one that closes. */
  function items(close, item) {
    at++;
    space();
    if (text[at] !== close)
      for (;;) {
        item();
        space();
        if (text[at] === close) break;
        if (text[at] !== ",") fail("Expecting ',' delimiter");
        at++;
        space();
      }
    at++;
  }

  function list() {
    const result = [];
    items("]", () => result.push(value()));
    return result;
  }

  function table() {
    const [result, again] = [new Map(), new Map()];
    items("}", () => {
      if (text[at] !== '"') fail("Expecting property name enclosed in double quotes");
      const key = string();
      space();
      if (text[at] !== ":") fail("Expecting ':' delimiter");
      at++;
      space();
      if (result.has(key)) again.set(key);
      result.set(key, value());
    });
    if (again.size) twice([...result.keys()].filter((key) => again.has(key)));
    return result;
  }

  function value() {
    const c = text[at];
    if (c === '"') return string();
    if (c === "{") return table();
    return c === "[" ? list() : number();
  }

  space();
  const result = value();
  space();
  if (at < text.length) fail("Extra data");
  return result;
}
