// A log-log chart as an SVG text: a pure function of its specification, the same at build time and in a browser.
//
// spec = { title, description, x: { label, from, to }, y: { label, from, to },
//          lines:   [{ name, points: [[x, y], …], knee: { at: [x, y], label, note } }, …],
//          marks:   [{ name, at: [x, y], line, note }, …],
//          regions: [{ name, from, to, side: "low" | "high" }, …] }      in data units; note is shown on hover
import { scaleLog } from "d3-scale";
import { format } from "d3-format";

const GAP = 6; // pixels between a mark and its label
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const round = (number) => Math.round(number * 10) / 10;
const path = (points) => "M" + points.map(([x, y]) => `${round(x)},${round(y)}`).join("L");

export function chart(spec, { width, height, size = 13, id = "chart" }) {
  const margin = { top: 2.4 * size, right: size, bottom: 3.6 * size, left: 3.6 * size };
  const x = scaleLog([spec.x.from, spec.x.to], [margin.left, width - margin.right]);
  const y = scaleLog([spec.y.from, spec.y.to], [height - margin.bottom, margin.top]);
  const plot = { left: margin.left, right: width - margin.right, top: margin.top, bottom: height - margin.bottom };
  const at = ([dataX, dataY]) => [x(dataX), y(dataY)];

  const lines = spec.lines.map((line, index) => ({ ...line, index, pixels: line.points.map(at) }));
  const labels = labeller(plot, lines, size);
  const marks = spec.marks.map((mark) => ({ ...mark, pixel: at(mark.at) }));
  for (const line of lines) labels.keepClear(at(line.knee.at), 5);
  for (const mark of marks) labels.keepClear(mark.pixel, 5);
  for (const region of spec.regions) labels.keepFree(regionLabel(region, x, plot, size));

  const parts = [
    regions(spec, x, plot, lines, size),
    axes(spec, x, y, plot, size),
    ...lines.map((line) => roof(line, at, plot)),
    ...marks.map((mark) => dot(mark)),
    ...lines.map((line) => labels.along(line, `name line-${line.index}`)),
    ...marks.map((mark) => labels.beside(mark.pixel, mark.name, `mark line-${mark.line}`)),
    ...lines.map((line) => labels.atKnee(at(line.knee.at), line.knee.label, `knee line-${line.index}`)),
  ];
  return (
    `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc" font-size="${size}">` +
    `<title id="${id}-title">${escape(spec.title)}</title><desc id="${id}-desc">${escape(spec.description)}</desc>` +
    `${parts.join("")}</svg>`
  );
}

/** What lies under the first roof, tinted and named by what binds there. */
function regions(spec, x, plot, lines, size) {
  return spec.regions
    .map((region) => {
      const [left, right] = [x(region.from), x(region.to)];
      const under = lines[0].pixels.filter(([px]) => px >= left - 0.1 && px <= right + 0.1);
      const area = path([[left, plot.bottom], ...under, [right, plot.bottom]]) + "Z";
      const { middle, baseline } = regionLabel(region, x, plot, size);
      return (
        `<path class="region ${region.side}" d="${area}"/>` +
        `<text class="region ${region.side}" x="${round(middle)}" y="${round(baseline)}" text-anchor="middle">${escape(region.name)}</text>`
      );
    })
    .join("");
}

function regionLabel({ name, from, to }, x, plot, size) {
  const wide = textWidth(name, size) * 1.1;
  const middle = Math.min((x(from) + x(to)) / 2, plot.right - wide / 2);
  return { middle, baseline: plot.bottom - size, wide };
}

/** Decades as grid lines with SI prefixes, and the two titles. */
function axes(spec, x, y, plot, size) {
  const decades = (scale) => scale.ticks().filter((value) => Math.abs(Math.log10(value) % 1) < 1e-9);
  const tick = (value) => format(value < 1 ? "~g" : "~s")(value);
  const columns = decades(x).map(
    (value) =>
      `<path class="grid" d="M${round(x(value))},${plot.top}V${plot.bottom}"/>` +
      `<text class="tick" x="${round(x(value))}" y="${round(plot.bottom + 1.4 * size)}" text-anchor="middle">${tick(value)}</text>`,
  );
  const rows = decades(y).map(
    (value) =>
      `<path class="grid" d="M${plot.left},${round(y(value))}H${plot.right}"/>` +
      `<text class="tick" x="${round(plot.left - 0.5 * size)}" y="${round(y(value) + 0.36 * size)}" text-anchor="end">${tick(value)}</text>`,
  );
  const titles =
    `<text class="title" x="0" y="${size}">${escape(spec.y.label)}</text>` +
    `<text class="title" x="${plot.right}" y="${round(plot.bottom + 3 * size)}" text-anchor="end">${escape(spec.x.label)}</text>`;
  return columns.join("") + rows.join("") + titles + `<path class="axis" d="M${plot.left},${plot.top}V${plot.bottom}H${plot.right}"/>`;
}

const roof = ({ index, pixels, knee }, at, plot) => {
  const [kneeX, kneeY] = at(knee.at).map(round);
  return (
    `<path class="drop line-${index}" d="M${kneeX},${kneeY}V${plot.bottom}"/><path class="roof line-${index}" d="${path(pixels)}"/>` +
    `<circle class="knee line-${index}" cx="${kneeX}" cy="${kneeY}" r="4"><title>${escape(knee.note)}</title></circle>`
  );
};

const dot = ({ line, pixel: [px, py], note }) =>
  `<circle class="mark line-${line}" cx="${round(px)}" cy="${round(py)}" r="5"><title>${escape(note)}</title></circle>`;

/** Puts each label where it hits least: other labels first, then marks, then lines. */
function labeller(plot, lines, size) {
  const taken = []; // boxes: left, top, right, bottom
  const segments = lines.flatMap(({ pixels }) => pixels.slice(1).map((end, i) => [pixels[i], end]));
  const overlap = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

  const cost = (box) =>
    taken.reduce((sum, other) => sum + 20 * overlap(box, other), 0) +
    segments.filter((segment) => crosses(segment, box)).length * 40 +
    (box[0] < plot.left || box[2] > plot.right || box[1] < plot.top - size || box[3] > plot.bottom ? 5000 : 0);

  const put = (text, options, className) => {
    const wide = textWidth(text, size);
    const boxed = options.map(([px, py, anchor], rank) => {
      const left = px - { start: 0, middle: wide / 2, end: wide }[anchor];
      const box = [left, py - 0.85 * size, left + wide, py + 0.25 * size];
      return { px, py, anchor, box, cost: cost(box) + rank };
    });
    const best = boxed.reduce((a, b) => (b.cost < a.cost ? b : a));
    taken.push(best.box);
    return `<text class="${className}" x="${round(best.px)}" y="${round(best.py)}" text-anchor="${best.anchor}">${escape(text)}</text>`;
  };

  return {
    keepClear: ([px, py], radius) => taken.push([px - radius, py - radius, px + radius, py + radius]),
    keepFree: ({ middle, baseline, wide }) => taken.push([middle - wide / 2, baseline - size, middle + wide / 2, baseline + 0.3 * size]),

    beside([px, py], text, className) {
      const options = [];
      for (const far of [GAP + 4, GAP + 14, GAP + 26, GAP + 40, GAP + 56]) {
        options.push([px + far, py + far + 0.5 * size, "start"], [px - far, py - far, "end"]);
        options.push([px + far, py + 0.36 * size, "start"], [px - far, py + 0.36 * size, "end"]);
        options.push([px, py - far, "middle"], [px, py + far + 0.8 * size, "middle"]);
        options.push([px + far, py - far, "start"], [px - far, py + far + 0.6 * size, "end"]);
      }
      return put(text, options, className);
    },

    atKnee([px, py], text, className) {
      const near = [[px + 10, py + 1.3 * size, "start"], [px - 10, py - 6, "end"], [px + 10, py - 6, "start"]];
      const drop = Array.from({ length: 12 }, (_, i) => plot.bottom - (1 + 1.25 * i) * size).filter((y) => y > py + size);
      return put(text, [...near, ...drop.flatMap((y) => [[px + 4, y, "start"], [px - 4, y, "end"]])], className);
    },

    along({ name, pixels, index }, className) {
      const [endX, endY] = pixels.at(-1);
      const [above, below] = [endY - GAP - 4, endY + GAP + 2 + 0.8 * size];
      const sides = index === 0 ? [above, below] : [below, above]; // leaves the space under the first roof to its marks
      const options = [0, 60, 120, 180].flatMap((back) => sides.map((side) => [endX - back, side, "end"]));
      return put(name, options, className);
    },
  };
}

/** About as wide as Inter sets it. */
function textWidth(text, size) {
  const units = [...text].map((c) => (/[iljtfr.,:;|'()\s/]/.test(c) ? 0.32 : /[mwMW]/.test(c) ? 0.88 : /[A-Z0-9×]/.test(c) ? 0.66 : 0.58));
  return size * units.reduce((a, b) => a + b, 0);
}

/** Whether a segment meets a box (left, top, right, bottom): clip it to the box side by side. */
function crosses([[x1, y1], [x2, y2]], [left, top, right, bottom]) {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [[x1, x2 - x1, left, right], [y1, y2 - y1, top, bottom]]) {
    if (delta === 0) {
      if (start < low || start > high) return false;
      continue;
    }
    const [enter, leave] = [(low - start) / delta, (high - start) / delta].sort((a, b) => a - b);
    [from, to] = [Math.max(from, enter), Math.min(to, leave)];
    if (from > to) return false;
  }
  return true;
}
