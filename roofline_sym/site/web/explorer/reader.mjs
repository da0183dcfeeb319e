// What reads a reader's own model and device, in the library's words; a script of its own, loaded when it is wanted.
import { readConfig } from "../config.mjs";
import { readValue } from "../text.mjs";

const NEEDED = ["peak_flops", "hbm_bandwidth", "hbm_capacity"];

/** A model from a config, and a device from lines `name = value unit`; `tables` are those of site/reading.py. */
export const reader = (tables) => ({
  largest: tables.config.limits.bytes,

  model(text) {
    const { quantities, contextLimit } = readConfig(text, tables, { place: "the pasted config" });
    return { title: "your own model", quantities: { ...quantities }, limit: contextLimit ?? 0 };
  },

  device(text) {
    const [quantities, wrong, known] = [{}, [], Object.keys(tables.quantities)];
    for (const line of String(text).split("\n").filter((one) => one.trim())) {
      const [name, ...value] = line.split("=");
      if (!value.length || !known.includes(name.trim())) {
        wrong.push(`a line is 'name = value unit', with a name of ${known.join(", ")}; got ${JSON.stringify(line.trim().slice(0, 40))}`);
        continue;
      }
      try {
        quantities[name.trim()] = readValue(value.join("=").trim(), name.trim(), tables);
      } catch (error) {
        wrong.push(error.message);
      }
    }
    wrong.push(...NEEDED.filter((name) => !wrong.length && !(name in quantities)).map((name) => `${name} is missing`));
    if (wrong.length) throw new Error(wrong.join("\n"));
    return { title: "your own device", quantities };
  },
});
