// The one point that moves: { at: [x, y], label }. It is drawn last, and its label gets its place first.
import { dot, stroke, svg } from "./svg.mjs";

/** What lies under the lines, and what lies over everything; nothing where the point cannot be shown. */
export function moving(point, { at, inside, plot }, labels) {
  const pixel = point && at(point.at);
  if (!pixel || !inside(pixel)) return [];
  const [x, y] = pixel;
  labels.keepClear(pixel, 7);
  const guide = stroke("guide", svg`M${plot.left},${y}H${x}V${plot.bottom}`);
  return [guide, labels.beside(pixel, point.label, "moving") + dot("moving", pixel, 6, point.label)];
}
