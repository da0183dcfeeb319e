// "Did you mean …?": the nearest of the names there are, by the measure of Python's difflib.
import { quoted } from "./python.mjs";

/** How much of two texts is alike: the longest run they share, and so on to the left and to the right of it. */
function alike(a, b) {
  const pending = [[0, a.length, 0, b.length]];
  let shared = 0;
  while (pending.length) {
    const [fromA, toA, fromB, toB] = pending.pop();
    let [length, atA, atB, before] = [0, 0, 0, []];
    for (let i = fromA; i < toA; i++) {
      const ending = [];
      for (let j = fromB; j < toB; j++) {
        if (a[i] !== b[j]) continue;
        ending[j] = (before[j - 1] ?? 0) + 1;
        if (ending[j] > length) [length, atA, atB] = [ending[j], i - ending[j] + 1, j - ending[j] + 1];
      }
      before = ending;
    }
    if (length) pending.push([fromA, atA, fromB, atB], [atA + length, toA, atB + length, toB]);
    shared += length;
  }
  return (2 * shared) / (a.length + b.length);
}

/** At most `count` of the names that are at least 0.6 alike, the nearest first. */
export function close(name, known, count) {
  const letters = [...name];
  return known
    .map((other) => [alike([...other], letters), other])
    .filter(([score]) => score >= 0.6)
    .sort(([one, a], [two, b]) => two - one || (a < b ? 1 : -1))
    .slice(0, count)
    .map(([, other]) => other);
}

/** The end of an error about a name: those known that hold it or are near it, or else all of them. */
export function suggestion(name, known) {
  const text = name.toLowerCase();
  const holding = text ? known.filter((other) => other.includes(text)) : [];
  holding.sort((a, b) => b.startsWith(text) - a.startsWith(text));
  const near = [...new Set([...holding.slice(0, 3), ...close(name, known, 3)])].slice(0, 3);
  if (near.length) return `; did you mean ${near.map((other) => quoted(other)).join(" or ")}?`;
  return `; there are ${known.slice(0, 60).join(", ")}`;
}
