// Values as the package's messages show them: in Python's words, on one line, with nothing a terminal would obey.
//
// What Python calls an int is a BigInt here, a float is a number, a list an Array and a dict a Map.

const ODD = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu; // what does not print
const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The first `count` characters, where Python counts: by code point. */
export const first = (text, count) => [...text.slice(0, 2 * count)].slice(0, count).join("");

/** A text of at most `longest` characters, or its beginning. */
export const short = (text, longest) => (first(text, longest) === text ? text : `${first(text, longest - 1)}…`);

/** Whether nothing in a text has to be spelt out. */
export const printable = (text) => text.search(ODD) < 0;

function spelt(c) {
  const code = c.codePointAt(0);
  const [sign, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return NAMED[c] ?? `\\${sign}${code.toString(16).padStart(digits, "0")}`;
}

/** Any text on one line of bounded length. */
const line = (text) => short(first(text, 81).replace(ODD, spelt), 80);

/** A text in quotes, with what does not print spelt out, or with all that is `odd`. */
export function quoted(text, odd = ODD) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/["'\\]/g, (c) => (c === quote || c === "\\" ? `\\${c}` : c));
  return quote + escaped.replace(odd, spelt) + quote;
}

/** A float with as few digits as tell it apart. */
function float(number) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  const [digits, power] = number.toExponential().split("e");
  if (power < -4 || power > 15) return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return `${Object.is(number, -0) ? "-" : ""}${number}${Number.isInteger(number) ? ".0" : ""}`;
}

/** A value so that unlike values of one type are told apart. */
export function repr(value) {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number") return float(value);
  return value instanceof Object ? `[${[...value].map(repr)}]` : `${value}`;
}

export const grouped = (number) => number.toLocaleString("en");

/** Any value on one short line; text is quoted unless `bare`. */
export function shown(value, mostBits, bare = false) {
  if (typeof value === "string") return line(bare ? value : quoted(first(value, 80)));
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Map) return `a table of ${value.size}`;
  if (typeof value === "bigint") {
    const bits = value.toString(2).replace("-", "").length;
    if (bits > mostBits) return `a number of ${grouped(bits)} bits`;
  }
  return line(repr(value));
}

/** Whether Python takes a value for true. */
export const truth = (value) =>
  Boolean(value instanceof Object ? (value.size ?? value.length) : value || Number.isNaN(value));
