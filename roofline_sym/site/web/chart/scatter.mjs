// Points in groups, each group with a shape and a colour of its own.
//
// spec = { points: [{ at: [x, y], name, note, group, href, label, look }, …],    all after name may be left out: label is
//          groups: [{ key, name }, …],                                      drawn if there is room, look is more classes
//          diagonal: true,                                                  the line on which y is x,
//          level: 1,                                                        or that on which it is this, and lines
//          bands: [2, …] }                                                  a factor above and below it: log axes alone
import { frame } from "./frame.mjs";
import { labeller } from "./labels.mjs";
import { escape, mark, path, stroke, svg, tone } from "./svg.mjs";

/** Shapes about the origin, of about the same weight. */
const SHAPES = ["M-4,0a4,4 0 1 0 8,0a4,4 0 1 0-8,0Z", "M-4-4H4V4H-4Z", "M0-5L5,4H-5Z", "M0-6L5,0L0,6L-5,0Z", "M-5-2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z"];

const shape = (index, [x, y], said, look = "") =>
  mark("path", `mark ${tone(index)} ${escape(look)}`, svg`transform="translate(${x},${y})" d="${SHAPES[index % 5]}"`, said);

export function scatter(spec, size) {
  const groups = spec.groups ?? [];
  const framed = frame(spec, size, groups.map(({ name }, index) => ({ name, swatch: (x, y) => shape(index, [x, y]) })));
  const { x, at, inside } = framed;
  const points = spec.points
    .map((point) => ({ ...point, pixel: at(point.at), index: Math.max(0, groups.findIndex(({ key }) => key === point.group)) }))
    .filter(({ pixel }) => pixel && inside(pixel));
  const labels = labeller(framed.plot, [], framed.size);
  for (const { pixel } of points) labels.keepClear(pixel, 5);

  const ray = (factor) => stroke(factor === 1 ? "diagonal" : "band", path(x.domain().map((end) => at([end, factor * (spec.level ?? end)])).filter(Boolean)));
  const body = [
    framed.body,
    framed.clip((spec.diagonal || spec.level ? [1, ...(spec.bands ?? []).flatMap((factor) => [factor, 1 / factor])] : []).map(ray)),
    points.map(({ pixel, index, href, name, note, look }) => linked(href, shape(index, pixel, note ? `${name}: ${note}` : name, look))),
    points.map(({ pixel, index, label }) => labels.beside(pixel, label, `mark ${tone(index)}`)),
  ];
  return { body, axes: framed.axes, linked: points.some(({ href }) => href) };
}

// No stop for the tab key: a hundred of them would serve nobody, and the same links stand in the text or its table.
const linked = (href, drawn) => (href ? `<a href="${escape(href)}" tabindex="-1">${drawn}</a>` : drawn);
