// Stacked bars that lie, one below the other; the chart is as tall as they need, whatever height is asked for.
//
// spec = { bars:  [{ name, text, parts: [{ name, value, text, tone }, …] }, …],    a bar's own text is its total
//          x:     { label, from: 0, to },                                          to grows until all fits
//          limit: { value, name } }                                                both texts and limit may be left out
// A tone is a number from 0 to 4 or "memory", "compute", "rest"; without one, parts take their colours in turn.
import { axis, tickText } from "./axis.mjs";
import { columns, legend } from "./frame.mjs";
import { escape, fit, mark, path, stroke, svg, text, textWidth } from "./svg.mjs";

const BOLD = 1.12; // how much wider its letters are

export function bars(spec, { width, size }) {
  const { bars, limit } = spec;
  const parts = bars.flatMap(({ parts }) => parts);
  const kinds = parts.filter(({ name }, i) => parts.findIndex((part) => part.name === name) === i);
  const block = (part, x, y, width, height, said) =>
    mark("rect", `part tone-${escape(part.tone ?? kinds.findIndex(({ name }) => name === part.name) % 5)}`, svg`x="${x}" y="${y}" width="${width}" height="${height}"`, said);
  const titled = ({ name, text }) => (text ? `${name}: ${text}` : name);
  const entries = kinds.map((part) => ({
    name: bars.length > 1 ? part.name : titled(part), // of a single bar, also what a thin part has no room for
    swatch: (x, y) => block(part, x - size / 2, y - size / 2, size, size),
  }));
  const key = legend(entries, width, -0.3 * size, size);
  const top = key.height + (limit ? 1.7 : 0.3) * size;
  const plot = { left: 0.5 * size, right: width - 1.5 * size, top, bottom: top + (4 * bars.length + 0.5) * size };

  const most = Math.max(value(limit), value({ value: spec.x.to }), ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + value(part), 0)));
  const x = axis({ from: 0, to: most, scale: "linear" }, [plot.left, plot.right], (tick) => textWidth(tickText(tick), size) + size);
  const rows = bars.map(({ name, text: total, parts }, index) => {
    const y = top + (1.6 + 4 * index) * size;
    let [sum, reached] = [0, plot.left];
    const drawn = parts.map((part) => {
      const from = reached;
      const wide = (reached = x((sum += value(part)))) - from;
      if (!(wide > 0)) return "";
      const fits = part.text && textWidth(part.text, size) + 0.8 * size < wide;
      return [block(part, from, y + 0.5 * size, wide, 1.9 * size, titled(part)), fits && text("part", from + wide / 2, y + 1.8 * size, part.text, 0.5)];
    });
    return drawn;
  });
  const names = bars.map(({ name, text: total }, index) => {
    const y = top + (1.6 + 4 * index) * size;
    const room = (plot.right - plot.left - 1.5 * size) / BOLD - textWidth(total, size);
    return [text("name", 0.9 * size, y, fit(name, room, size)), total && text("total", plot.right, y, total, 1)];
  });
  const axes = path([[plot.left, top], [plot.left, plot.bottom], [plot.right, plot.bottom]]);
  const border = limit && line(limit, x(value(limit)), plot, size, width);
  const body = [key.body, columns(spec, x, plot, size), rows, stroke("axis", axes), border, names];
  return { body, axes: x.told("x"), height: Math.ceil(plot.bottom + 3.6 * size) };
}

/** What it adds to a bar: nothing, if it is no number above zero. */
const value = (part) => (part?.value > 0 ? Math.min(part.value, 1e299) : 0);

function line({ name }, x, { top, bottom }, size, width) {
  const said = fit(name, width / BOLD, size);
  const half = (textWidth(said, size) * BOLD) / 2;
  return [
    stroke("limit", svg`M${x},${top - 0.3 * size}V${bottom}`),
    text("limit", Math.max(half, Math.min(width - half, x)), top - 0.6 * size, said, 0.5),
  ];
}
