// What every chart has around it, whatever its kind: its box, its name and its description.
import { escape, svg } from "./svg.mjs";

const SMALLEST = 11; // pixels; smaller text is not read on a phone

/** A function that draws specs of these kinds. */
export const drawer = (kinds) => (spec, { width, height, size = 13, id = "chart" }) => {
  const kind = spec.kind ?? "roofline";
  if (!Object.hasOwn(kinds, kind)) throw new Error(`no chart is called ${kind}; there are ${Object.keys(kinds).join(", ")}`);
  const [named, font] = [escape(id), Math.max(size, SMALLEST)];
  const drawn = kinds[kind](spec, { width, height, size: font, id: named });
  // What holds links is no image: a screen reader would not offer them.
  return svg`<svg class="chart ${kind}" viewBox="0 0 ${width} ${drawn.height ?? height}" role="${drawn.linked ? "group" : "img"}" aria-labelledby="${named}-title ${named}-desc" font-size="${font}" ${drawn.axes}><title id="${named}-title">${escape(spec.title)}</title><desc id="${named}-desc">${escape(spec.description)}</desc>${drawn.body}</svg>`;
};
