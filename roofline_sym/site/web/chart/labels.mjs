// Where labels go: each where it hits least, and none over another; one that has no place is left out.
import { text, textWidth } from "./svg.mjs";

const GAP = 6; // pixels between a mark and its label
const OUT = 5000; // the cost of leaving the frame: more than any crowd inside it

/** Puts labels: other labels count most, then marks, then lines (as lists of pixels). */
export function labeller(plot, lines, size) {
  const taken = []; // [left, top, right, bottom, whether it is words]
  const segments = lines.flatMap((pixels) => pixels.slice(1).map((end, i) => [pixels[i], end]));
  const overlap = (a, b) => Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

  const cost = (box) =>
    taken.reduce((sum, other) => sum + 20 * overlap(box, other), 0) +
    segments.filter((segment) => crosses(segment, box)).length * 40 +
    (box[0] < plot.left || box[2] > plot.right || box[1] < plot.top - size || box[3] > plot.bottom ? OUT : 0);

  /** Options are [x, y, shift]; the earlier of two that are as good wins. */
  const put = (words, options, className) => {
    const wide = textWidth(words, size);
    const boxed = options.map(([x, y, shift], rank) => {
      const box = [x - shift * wide, y - 0.85 * size, x + (1 - shift) * wide, y + 0.25 * size, true];
      return { x, y, shift, box, cost: cost(box) + rank };
    });
    const best = boxed.reduce((a, b) => (b.cost < a.cost ? b : a));
    if (!words || best.cost >= OUT || taken.some((other) => other[4] && overlap(best.box, other))) return "";
    taken.push(best.box);
    return text(className, best.x, best.y, words, best.shift);
  };

  return {
    keepClear: ([x, y], radius) => taken.push([x - radius, y - radius, x + radius, y + radius]),
    keepFree: (middle, baseline, wide) =>
      taken.push([middle - wide / 2, baseline - size, middle + wide / 2, baseline + 0.3 * size, true]),

    beside: ([x, y], words, className) =>
      put(words, [4, 14, 26, 40, 56].flatMap((more) => {
        const far = GAP + more;
        const [up, level, down] = [y - far, y + 0.36 * size, y + far + 0.6 * size];
        const places = [[1, down], [-1, up], [1, level], [-1, level], [0, up], [0, down + 0.2 * size], [1, up], [-1, down]];
        return places.map(([side, y]) => [x + side * far, y, (1 - side) / 2]);
      }), className),

    atKnee([x, y], words, className) {
      const drop = Array.from({ length: 12 }, (_, i) => plot.bottom - (1 + 1.25 * i) * size).filter((low) => low > y + size);
      const near = [[x + 10, y + 1.3 * size, 0], [x - 10, y - 6, 1], [x + 10, y - 6, 0]];
      return put(words, [...near, ...drop.flatMap((low) => [[x + 4, low, 0], [x - 4, low, 1]])], className);
    },

    along([x, y], words, className, under) {
      const sides = [y - GAP - 4, y + GAP + 2 + 0.8 * size];
      if (under) sides.reverse();
      return put(words, [0, 60, 120, 180].flatMap((back) => sides.map((side) => [x - back, side, 1])), className);
    },
  };
}

/** Whether a segment meets a box: clip it to the box side by side. */
function crosses([[x1, y1], [x2, y2]], [left, top, right, bottom]) {
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [[x1, x2 - x1, left, right], [y1, y2 - y1, top, bottom]]) {
    if (!delta && (start < low || start > high)) return false;
    if (!delta) continue;
    const [enter, leave] = [(low - start) / delta, (high - start) / delta].sort((a, b) => a - b);
    [from, to] = [Math.max(from, enter), Math.min(to, leave)];
  }
  return from <= to;
}
