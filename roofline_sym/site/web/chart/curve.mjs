// Functions of one variable, and one point that moves on them.
//
// spec = { lines: [{ name, points: [[x, y], …] }, …], point: { at: [x, y], label } }        point may be left out
import { frame } from "./frame.mjs";
import { labeller } from "./labels.mjs";
import { moving } from "./moving.mjs";
import { path, stroke, svg, tone } from "./svg.mjs";

export function curve(spec, size) {
  const look = (index) => `curve ${tone(index)}`;
  const swatch = (index) => (x, y, size) => stroke(look(index), svg`M${x - 0.75 * size},${y}h${1.5 * size}`);
  const entries = spec.lines.map(({ name }, index) => ({ name, swatch: swatch(index) }));
  const framed = frame(spec, size, entries.length > 1 ? entries : []);
  const lines = spec.lines.map(({ points }) => runs(points.map(framed.at)));
  const labels = labeller(framed.plot, lines.flat(), framed.size);
  const [guide, point] = moving(spec.point, framed, labels);
  // A point alone between two gaps is a line of no length, which round ends make a dot.
  const drawn = lines.map((some, index) =>
    some.map((run) => stroke(look(index), path(run) + (run.length < 2 ? "h0" : ""), spec.lines[index].name)),
  );
  return { body: [framed.body, guide, framed.clip(drawn), point], axes: framed.axes };
}

/** The stretches without a gap. */
function runs(pixels) {
  const found = [[]];
  for (const pixel of pixels) {
    if (pixel) found.at(-1).push(pixel);
    else found.push([]);
  }
  return found.filter(({ length }) => length);
}
