// The frame of a chart: scales, grid, titles of the axes, and the legend above.
import { axis, tickText } from "./axis.mjs";
import { fit, path, stroke, svg, text, textWidth } from "./svg.mjs";

const OUTSIDE = 1e5; // pixels; lines that leave the frame are clipped anyway

/** Scales and axes of a spec whose legend has these entries: [{ name, swatch: (x, y, size) => SVG }]. */
export function frame(spec, { width, height, size, id }, entries = []) {
  const key = legend(entries, width, 1.5 * size, size);
  const plot = { right: width - size, top: 2.4 * size + key.height, bottom: height - 3.6 * size };
  const y = axis(spec.y, [plot.bottom, plot.top], () => 1.6 * size);
  plot.left = Math.max(3.6 * size, ...y.marked.map((value) => textWidth(tickText(value), size) + size));
  const x = axis(spec.x, [plot.left, plot.right], (value) => textWidth(tickText(value), size) + size);
  const { left, top, right, bottom } = plot;

  return {
    x, y, plot, size,
    at: ([dataX, dataY]) => {
      const pixel = [x.place(dataX), y.place(dataY)];
      return pixel.every(Number.isFinite) ? pixel.map((p) => Math.max(-OUTSIDE, Math.min(OUTSIDE, p))) : null;
    },
    inside: ([px, py]) => px > left - 1 && px < right + 1 && py > top - 1 && py < bottom + 1,
    clip: (content) =>
      svg`<clipPath id="${id}-clip"><path d="M${left},${top - 3}H${right + 3}V${bottom}H${left}Z"/></clipPath><g clip-path="url(#${id}-clip)">${content}</g>`,
    axes: `${x.told("x")} ${y.told("y")}`,
    body: svg`${columns(spec, x, plot, size)}${y.marked.map((value) => [
      stroke("grid", svg`M${left},${y(value)}H${right}`),
      text("tick", left - 0.5 * size, y(value) + 0.36 * size, tickText(value), 1),
    ])}${text("title", 0, size, fit(spec.y.label, width, size))}${stroke("axis", path([[left, top], [left, bottom], [right, bottom]]))}${key.body}`,
  };
}

/** The grid and the title of the axis that lies. */
export const columns = (spec, x, { left, top, right, bottom }, size) => [
  ...x.marked.map((value) => [
    stroke("grid", svg`M${x(value)},${top}V${bottom}`),
    text("tick", x(value), bottom + 1.4 * size, tickText(value), 0.5),
  ]),
  text("title", right, bottom + 3 * size, fit(spec.x.label, right, size), 1),
];

/** Names beside what they look like, in as many rows as they need. */
export function legend(entries, width, top, size) {
  let [x, rows] = [0, entries.length && 1];
  const body = entries.map(({ name, swatch }) => {
    const said = fit(name, width - 2 * size, size);
    const wide = 1.9 * size + textWidth(said, size);
    if (x && x + wide > width) [x, rows] = [0, rows + 1];
    const [from, baseline] = [x, top + (1.5 * rows - 0.4) * size];
    x += wide + 1.2 * size;
    return [swatch(from + 0.8 * size, baseline - 0.36 * size, size), text("key", from + 1.9 * size, baseline, said)];
  });
  return { body, height: rows && (1.5 * rows + 0.5) * size };
}
