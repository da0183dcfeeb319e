// Rooflines, and workloads on them; both axes are logarithmic.
//
// spec = { lines:   [{ name, points: [[x, y], …], knee: { at: [x, y], label, note } }, …],
//          marks:   [{ name, at: [x, y], line, note }, …],
//          regions: [{ name, from, to, side: "low" | "high" }, …],      under the first roof
//          point:   { at: [x, y], label } }                             moves; all but lines may be left out
import { frame } from "./frame.mjs";
import { labeller } from "./labels.mjs";
import { moving } from "./moving.mjs";
import { dot, path, stroke, svg, text, textWidth, tone } from "./svg.mjs";

export function roofline(spec, size) {
  const framed = frame(spec, size);
  const { at, plot } = framed;
  const lines = spec.lines.map(({ name, points, knee }) => ({ name, knee, pixels: points.map(at).filter(Boolean) }));
  const spots = (some, kind) =>
    some.map((spot) => ({ ...spot, look: `${kind} ${tone(spot.line)}`, pixel: at(spot.at) })).filter(({ pixel }) => pixel);
  const knees = spots(lines.flatMap(({ knee }, line) => (knee ? { ...knee, line } : [])), "knee");
  const marks = spots(spec.marks ?? [], "mark");

  const labels = labeller(plot, lines.map(({ pixels }) => pixels), framed.size);
  for (const { pixel } of [...knees, ...marks]) labels.keepClear(pixel, 5);
  const areas = (spec.regions ?? []).map((region) => area(region, framed, lines[0].pixels, labels));
  const [guide, point] = moving(spec.point, framed, labels);
  const body = [
    areas,
    framed.body,
    knees.map(({ pixel: [x, y], line }) => stroke(`drop ${tone(line)}`, svg`M${x},${y}V${plot.bottom}`)),
    guide,
    framed.clip(lines.map(({ name, pixels }, index) => pixels.length && stroke(`roof ${tone(index)}`, path(pixels), name))),
    [...knees, ...marks].map(({ look, pixel, note, name }) => dot(look, pixel, name ? 5 : 4, note)),
    // Below a lower roof, so that the space under the first one is left to its marks.
    lines.map(({ name, pixels }, index) => pixels.length && labels.along(pixels.at(-1), name, `name ${tone(index)}`, index)),
    marks.map(({ name, pixel, look }) => labels.beside(pixel, name, look)),
    knees.map(({ label, pixel, look }) => labels.atKnee(pixel, label, look)),
    point,
  ];
  return { body, axes: framed.axes };
}

/** What lies under the first roof, tinted and named by what binds there. */
function area({ name, from, to, side }, { x, plot, size }, pixels, labels) {
  const [left, right] = [from, to].map((end) => Math.max(plot.left, Math.min(plot.right, x.place(end) || 0)));
  const wide = textWidth(name, size) * 1.1;
  const [middle, baseline] = [Math.min((left + right) / 2, plot.right - wide / 2), plot.bottom - size];
  const under = pixels.filter(([px]) => px >= left - 0.1 && px <= right + 0.1);
  const named = wide < 1.15 * (right - left);
  if (named) labels.keepFree(middle, baseline, wide);
  return [
    stroke(`region ${side}`, path([[left, plot.bottom], ...under, [right, plot.bottom]]) + "Z", name),
    named && text(`region ${side}`, middle, baseline, name, 0.5),
  ];
}
