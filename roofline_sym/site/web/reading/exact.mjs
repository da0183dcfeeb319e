// Exact numbers, as pairs of whole ones, and the doubles nearest to them.

export const fraction = (text) => text.split("/").map(BigInt); // "1/1000"
export const times = ([p, q], [r, s]) => [p * r, q * s];
export const power = ([p, q], n) => (n < 0 ? power([q, p], -n) : [p ** BigInt(n), q ** BigInt(n)]);

const bits = (whole) => whole.toString(2).length;

/** The nearest double, rounded once. */
export function double([p, q]) {
  if (p < 0n) return -double([-p, q]);
  // So many bits of the quotient, and one that says whether anything is left over; no more than the least double has.
  const up = Math.min(64 - bits(p) + bits(q), 1075);
  const [over, under] = up > 0 ? [p << BigInt(up), q] : [p, q << BigInt(-up)];
  const half = (-up - 1) >> 1;
  return Number((over / under) * 2n + (over % under ? 1n : 0n)) * 2 ** half * 2 ** (-up - 1 - half);
}

/** Whether a double can hold it, at least roughly. */
export const holds = (value) => Number.isFinite(double(value)) && (double(value) !== 0 || !value[0]);
