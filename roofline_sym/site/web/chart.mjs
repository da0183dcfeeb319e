// A chart as an SVG text: a pure function of its specification, the same at build time and in a browser.
//
// Every spec has { kind, title, description, x: { label, scale: "log" | "linear", from, to }, y: likewise }; what else
// a kind takes stands at the head of its module. A coordinate that cannot be drawn is null (or NaN, or not positive
// on a logarithmic axis): a gap in a line, no mark. data-x and data-y say how pixels read back to data:
// scale, domain, range.
import { bars } from "./chart/bars.mjs";
import { curve } from "./chart/curve.mjs";
import { roofline } from "./chart/roofline.mjs";
import { scatter } from "./chart/scatter.mjs";
import { escape, svg } from "./chart/svg.mjs";

const KINDS = { roofline, curve, scatter, bars };
const SMALLEST = 11; // pixels; smaller text is not read on a phone

export function chart(spec, { width, height, size = 13, id = "chart" }) {
  const kind = spec.kind ?? "roofline";
  if (!Object.hasOwn(KINDS, kind)) throw new Error(`no chart is called ${kind}; there are ${Object.keys(KINDS).join(", ")}`);
  const [named, font] = [escape(id), Math.max(size, SMALLEST)];
  const drawn = KINDS[kind](spec, { width, height, size: font, id: named });
  // What holds links is no image: a screen reader would not offer them.
  return svg`<svg class="chart ${kind}" viewBox="0 0 ${width} ${drawn.height ?? height}" role="${drawn.linked ? "group" : "img"}" aria-labelledby="${named}-title ${named}-desc" font-size="${font}" ${drawn.axes}><title id="${named}-title">${escape(spec.title)}</title><desc id="${named}-desc">${escape(spec.description)}</desc>${drawn.body}</svg>`;
}
