// A value from a user, "3.35 TB/s": `number [unit]`, read exactly by the grammar of `roofline_sym.core.text`.
//
// What it knows are `tables.units` and `tables.quantities` of `roofline_sym.site.reading`.
import { close } from "./reading/near.mjs";
import { double, fraction, holds, power, times } from "./reading/exact.mjs";
import { first, printable, quoted, short } from "./reading/python.mjs";
import { knownUnits, multiplied, PLAIN, sum, unitText } from "./reading/units.mjs";

/** A text that is no value of its quantity: what is wrong, and what would be right. */
export class TextError extends Error {}

const SPACE = "(?!\\ufeff)[\\s\\x1c-\\x1f\\x85]"; // as Python has it
const ENDS = RegExp(`^(${SPACE})+|(${SPACE})+$`, "g");
const NUMBER = /^([+-]?)([0-9]+(?:_[0-9]+)*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,3}))?/;
const UNIT = RegExp(`^(${SPACE})*[A-Za-zµμ%]`);
const TOKEN = RegExp(`(?:${SPACE})*(?:([A-Za-zµμ%][A-Za-z0-9]*)(?:(?:\\^|\\*\\*)(-?[1-9]))?|([*·/()]))`, "y");

/** A text on one short line, with what does not print spelt out. */
function shown(text) {
  const brief = short(text, 40);
  return printable(brief) ? `'${brief}'` : quoted(brief, /[^ -~]/gu);
}

/** The value of a quantity of `tables.quantities`, by name, from text; in the quantity's unit, as the nearest double. */
export function readValue(text, name, { units: tables, quantities }) {
  const quantity = quantities[name];
  const units = knownUnits(tables);
  const refuse = (reason) => {
    throw new TextError(`${name}: ${reason}`);
  };

  function unitNamed(name) {
    if (units.has(name)) return units.get(name);
    if (tables.prefix_alone.includes(name))
      refuse(`${shown(name)} is a prefix without a unit; write GB, or the number in full`);
    const names = [...units.keys()];
    const alike = names.filter((unit) => unit.toLowerCase() === name.toLowerCase());
    alike.sort((a, b) => b.endsWith("B") - a.endsWith("B"));
    const perSecond = name.endsWith("ps") && units.has(name.slice(0, -2)) && `${name.slice(0, -2)}/s`;
    const hint = Object.hasOwn(tables.hints, name) && tables.hints[name];
    const near = perSecond || hint || [...alike, ...close(name, names, 1)][0];
    return refuse(`${shown(name)} is not a unit${near ? `; did you mean ${near}?` : ""}`);
  }

  /** Names joined by `*`, `·` and `/`, whole powers, and one level of parentheses after `/`. */
  function readUnit(text) {
    let [unit, over, group, at, expecting] = [PLAIN, 1, 0, 0, true];
    const like = "write it like USD/(device·hour)";
    while (at < text.length) {
      TOKEN.lastIndex = at;
      const token = TOKEN.exec(text);
      if (!token) refuse(`${shown(text)} is not a unit: ${shown(first(text.slice(at), 12))} does not belong there`);
      const [, name, raised, sign] = token;
      at = TOKEN.lastIndex;
      if (name && expecting) {
        unit = multiplied(unit, unitNamed(name), over * (raised ?? 1));
        expecting = false;
        if (!group) over = 1;
      } else if (sign === "(" && expecting && !group) group = 1;
      else if (sign === ")" && group === 1 && !expecting) [group, over] = [2, 1];
      else if ("*·".includes(sign) && !expecting) expecting = true;
      else if (sign === "/" && !expecting && group !== 1) [over, expecting] = [-1, true];
      else refuse(`${shown(text)} is not a unit; ${like}`);
    }
    if (text && (expecting || group === 1)) refuse(`${shown(text)} is not finished; ${like}`);
    return unit;
  }

  /** One number with at most one unit. */
  function readNumberAndUnit() {
    const says = (reason) => refuse(`${shown(text)} ${reason}`);
    const like = "a value reads like '3.35 TB/s'";
    if (short(text, tables.longest) !== text) says(`is longer than ${tables.longest} characters; ${like}`);
    const clean = text.replace(/\xa0/g, " ").replace(ENDS, "");
    const number = NUMBER.exec(clean) ?? says(`does not begin with a number; ${like}`);
    const rest = clean.slice(number[0].length);
    if (rest && !UNIT.test(rest)) says(`has ${shown(first(rest, 12))} after the number; write digits alone, like 3350.5`);
    const [, sign, digits, exponent = 0] = number;
    const [whole, part = ""] = digits.replaceAll("_", "").split(".");
    const size = power([10n, 1n], exponent - part.length);
    const value = times([BigInt(`${sign === "-" ? "-" : ""}${whole}${part}`), 1n], size);
    const large = "is outside of what a double can hold";
    if (!holds(value)) says(large);
    const scaled = times(value, scale(readUnit(rest.replace(ENDS, "")), says));
    return holds(scaled) ? scaled : says(large);
  }

  /** What a number in a unit is multiplied by to be in the quantity's own. */
  function scale(unit, says) {
    if (quantity.plain && !unit.dimension.size && unit.size[0] === unit.size[1]) return [1n, 1n];
    const readings = (quantity.of_device ? [0, 1, -1] : [0]).map((n) => multiplied(unit, units.get("device"), n));
    const fitting = readings.find(({ dimension }) => !sum(dimension, quantity.dimension, -1).size);
    if (!fitting) says(`is in ${unitText(unit) || "plain numbers"}, wanted ${quantity.unit || "a plain number"}`);
    return times(fitting.size, power(fraction(quantity.scale), -1));
  }

  const { words, positive, whole } = quantity;
  if (words)
    return words.indexOf(text) + 1 || refuse(`is one of ${words.join(", ")}; got ${shown(text)}`);
  const [p, q] = readNumberAndUnit();
  if (p < 0n || (!p && positive)) refuse(`must be ${positive ? "greater than 0" : "0 or greater"}, got ${shown(text)}`);
  if (whole && p % q)
    refuse(`is a count: ${p < q && positive ? 1 : `${p / q} or ${p / q + 1n}`}, not ${shown(text)}`);
  return double([p, q]);
}
