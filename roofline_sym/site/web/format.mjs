// How numbers are shown to people; the same texts as core/show.py gives.
//
// steps = [[from which size on, what the value is multiplied by, unit], …] of a quantity, smallest unit first

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A number with so many significant digits: 295.2, 42,950, 1.26×10¹². */
export function numberText(value, digits = 4) {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? "0" : Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -4 && exponent < Math.max(digits, 6)) {
    const text = grouped(fixed(value, Math.max(digits - 1 - exponent, 0)));
    return Number.isInteger(value) && text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  const step = 3 * Math.floor(exponent / 3); // powers of a thousand, so that 66.5×10⁹ stands beside 70×10⁹
  const mantissa = value / 10 ** step;
  return `${fixed(mantissa, Math.max(digits - 1 - (exponent - step), 0))}×10${[...String(step)].map((c) => SUPERSCRIPT[c]).join("")}`;
}

/** A value in the unit a reader wants: 42.95 GB, 28.03 day, 295.2 FLOP/byte. */
export function quantityText(value, steps, digits = 4) {
  const [, factor, unit] = stepOf(value, steps);
  return `${numberText(value * factor, digits)} ${unit}`.trim();
}

/** The row of the steps that a value is shown in; nothing is 0 s, not 0 ns. */
export function stepOf(value, steps) {
  const size = Math.abs(value);
  if (size === 0) return steps.find(([, , unit]) => unit === "s") ?? steps[0];
  return steps.findLast(([least]) => size >= least) ?? steps[0];
}

/** As toFixed, with what lies exactly between two rounded to the even one, as Python does. */
function fixed(value, places) {
  const text = value.toFixed(places);
  const cut = value.toFixed(places + 30).slice(0, -30).replace(/\.$/, "");
  const tie = /^50*$/.test(value.toFixed(places + 30).slice(-30)) && Number(cut.at(-1)) % 2 === 0;
  return tie ? cut : text;
}

function grouped(text) {
  const [whole, decimals] = text.split(".");
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return decimals === undefined ? groups : `${groups}.${decimals}`;
}
