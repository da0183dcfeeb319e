// A chart as an SVG text: a pure function of its specification, the same at build time and in a browser.
//
// Every spec has { kind, title, description, x: { label, scale: "log" | "linear", from, to }, y: likewise }; what else
// a kind takes stands at the head of its module. A coordinate that cannot be drawn is null (or NaN, or not positive
// on a logarithmic axis): a gap in a line, no mark. data-x and data-y say how pixels read back to data:
// scale, domain, range.
//
// A page that draws some kinds alone takes drawer and those: a quarter of this is then left out of its script.
import { bars } from "./chart/bars.mjs";
import { curve } from "./chart/curve.mjs";
import { drawer } from "./chart/drawer.mjs";
import { roofline } from "./chart/roofline.mjs";
import { scatter } from "./chart/scatter.mjs";

/** chart(spec, { width, height, size, id }) */
export const chart = drawer({ roofline, curve, scatter, bars });
