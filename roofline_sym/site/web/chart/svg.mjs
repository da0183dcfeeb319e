// Pieces of SVG text, and how wide words are.

/** Text as it may stand in an element or an attribute. */
export const escape = (words) => String(words ?? "").replace(/[&<>"']/g, (c) => `&#${c.charCodeAt()};`);

/** A template that rounds numbers to a hundredth of a pixel, joins lists, and leaves out what is absent. */
export const svg = (texts, ...values) => String.raw({ raw: texts }, ...values.map(told));

const told = (value) =>
  typeof value === "number" ? Math.round(value * 100) / 100 : Array.isArray(value) ? value.map(told).join("") : value || "";

/** A line through pixels, to a tenth of one. */
export const path = (pixels) => "M" + pixels.map((pixel) => pixel.map((p) => Math.round(p * 10) / 10)).join("L");

/** An element with its class, its attributes as text, and what is said when it is pointed at. */
export const mark = (tag, className, attributes, said) =>
  svg`<${tag} class="${className}" ${attributes}${said ? `><title>${escape(said)}</title></${tag}>` : "/>"}`;

export const stroke = (className, d, said) => mark("path", className, `d="${d}"`, said);

export const dot = (className, [x, y], r, said) => mark("circle", className, svg`cx="${x}" cy="${y}" r="${r}"`, said);

/** Words whose start (0), middle (0.5) or end (1) is at x. */
export const text = (className, x, y, words, shift = 0) =>
  svg`<text class="${className}" x="${x}" y="${y}"${shift > 0 && ` text-anchor="${shift < 1 ? "middle" : "end"}"`}>${escape(words)}</text>`;

/** The class of a colour: five of them, in turn. */
export const tone = (index) => `line-${index % 5}`;

/** About as wide as Inter sets it. */
export const textWidth = (words, size) =>
  [...(words ?? "")].reduce((sum, c) => sum + size * (/[iljtfr.,:;|'()\s/]/.test(c) ? 0.32 : /[mwMW]/.test(c) ? 0.88 : /[A-Z0-9×]/.test(c) ? 0.66 : c > "⺀" ? 1 : 0.58), 0);

/** The words, cut so that they fit. */
export function fit(words, room, size) {
  const letters = [...(words ?? "")];
  while (letters.length && textWidth(letters, size) > room) letters.splice(-2, 2, "…");
  return letters.join("");
}
