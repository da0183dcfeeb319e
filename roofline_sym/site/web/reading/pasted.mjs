// A text that should hold a config: bounded, and refused in one line if it is anything else.
import { depth, parseJson } from "../json.mjs";

/**
 * What a text holds, which must be one object of a size that a config can have.
 *
 * `refuse` throws an error that begins with what the text is called; `shown` puts a value into it.
 */
export function parse(text, { bytes, digits, nested }, shown, refuse) {
  if (text.length > bytes || new TextEncoder().encode(text).length > bytes)
    refuse(` has more than ${bytes >> 20} MiB; a config.json has a few KiB`);
  if (depth(text) > nested) refuse(" is nested too deeply for a config");
  const config = parseJson(text.replace(/^\ufeff/, ""), {
    longest: digits,
    wrong: (message, line) => refuse(` is not JSON: ${message} in line ${line}`),
    twice: (keys) => refuse(` says ${keys.slice(0, 3).map((key) => shown(key, true)).join(", ")} more than once; keep one`),
    long: () => refuse(" is not JSON in UTF-8 with numbers of a sensible length"),
  });
  return config instanceof Map ? config : refuse(` holds ${shown(config)}, wanted one JSON object`);
}
