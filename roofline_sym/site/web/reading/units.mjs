// Units as products: the names they are shown by with their powers, their exact size, their dimension.
import { fraction, power, times } from "./exact.mjs";

export const PLAIN = { names: new Map(), size: [1n, 1n], dimension: new Map() };

/** The powers of one product and `n` times those of another; what cancels is left out. */
export function sum(powers, others, n) {
  const result = new Map(powers);
  for (const [name, power] of others) {
    const total = (result.get(name) ?? 0) + n * power;
    total ? result.set(name, total) : result.delete(name);
  }
  return result;
}

/** A unit times another to the power of `n`. */
export const multiplied = (unit, other, n) => ({
  names: sum(unit.names, other.names, n),
  size: times(unit.size, power(other.size, n)),
  dimension: sum(unit.dimension, other.dimension, n),
});

/** A unit as people write it: `USD/(device·hour)`; empty for a plain number. */
export function unitText({ names }) {
  const side = (sign) =>
    [...names].filter(([, n]) => n * sign > 0).map(([name, n]) => (n * sign === 1 ? name : `${name}^${n * sign}`));
  const [over, under] = [side(1).join("·"), side(-1)];
  if (!under[0]) return over;
  return `${over || 1}/${under[1] ? `(${under.join("·")})` : under}`;
}

const made = new WeakMap();

/** Every unit a text may name, by the tables of `roofline_sym.site.reading`; made once for each. */
export function knownUnits(tables) {
  if (made.has(tables)) return made.get(tables);
  const { prefixes, units } = tables;
  const known = new Map();
  made.set(tables, known);
  for (const [names, alone, behind, size, dimension] of units)
    for (const sign in prefixes) {
      const [prefix, factor] = prefixes[sign];
      const unit = { names: [[sign ? prefix + behind : alone, 1]], size: times(fraction(factor), fraction(size)), dimension };
      if (behind || !sign) for (const name of names) known.set(sign + name, unit);
    }
  return known;
}
