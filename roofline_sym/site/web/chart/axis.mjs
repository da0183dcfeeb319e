// A scale with its ticks, and how it reads back.
import { scaleLinear, scaleLog } from "d3-scale";
import { format } from "d3-format";

const FAR = 1e300; // beyond it, arithmetic on an axis overflows
const STARTS = [/^1.000e/, /^[125].000e/, /./]; // decades, or else halves of them, or else what there is

/** A d3 scale over a range of pixels; room says how many pixels a tick needs, about its middle. */
export function axis(spec, range, room) {
  const log = spec.scale !== "linear";
  const has = (value) => value === +value && Math.abs(value) < FAR && (!log || value > 1 / FAR);
  const scale = (log ? scaleLog : scaleLinear)(ends(spec, log, has), range);
  return Object.assign(scale, {
    place: (value) => (has(value) ? scale(value) : NaN),
    told: (name) => `data-${name}="${[log ? "log" : "linear", ...scale.domain(), ...range].join(" ")}"`,
    marked: ticks(scale, log, room),
  });
}

/** Both ends of an axis; one that cannot be drawn is made from the other, and no two are the same. */
function ends({ from, to }, log, has) {
  if (!has(from)) from = log ? (has(to) ? to / 1000 : 1) : 0;
  if (!has(to)) to = log ? from * 1000 : from + 1;
  const more = from === to && Math.abs(from) / 2 + !log;
  return [from - more, to + more];
}

/** As many as there is room for. */
function ticks(scale, log, room) {
  const crowded = (value, i, all) => i && Math.abs(scale(value) - scale(all[i - 1])) < Math.max(room(value), room(all[i - 1]));
  for (let count = log ? 10 : 6; count; count--) {
    const every = scale.ticks(count);
    const starting = STARTS.map((start) => every.filter((value) => start.test(value.toExponential(3))));
    const some = log && starting.find(({ length }) => length > 1) || every;
    if (!some.some(crowded)) return some;
  }
  return [];
}

/** With an SI prefix from one up, as it is below, as a power of ten where that is far below. */
export function tickText(value) {
  const size = Math.abs(value);
  return format(size >= 1e27 || (size && size < 1e-3) ? "~e" : size < 1 ? "~g" : "~s")(value);
}
