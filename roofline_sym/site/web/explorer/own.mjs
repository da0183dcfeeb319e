// A reader's own model and device: the library's errors in the library's words. It is a part of the script that is
// loaded when a panel is first opened.
import { readConfig } from "../config.mjs";
import { readValue } from "../text.mjs";

/** A model from the text of a config. */
export function model(text, tables) {
  const { quantities, contextLimit } = readConfig(text, tables);
  return { title: "your own model", quantities, limit: contextLimit ?? 0 };
}

/** A device from lines `name = value unit`; everything that is wrong with them is told at once. What it lacks, the page says. */
export function device(text, tables) {
  const [quantities, wrong, names] = [{}, [], Object.keys(tables.quantities)];
  for (const line of text.slice(0, 10_000).split("\n").filter((one) => one.trim())) {
    const [name, ...rest] = line.split("=").map((part) => part.trim());
    try {
      if (!rest.length || !names.includes(name)) throw new Error(`${JSON.stringify(line.slice(0, 40))} is not 'name = value unit', with a name of ${names.join(", ")}`);
      if (name in quantities) throw new Error(`${name} is given twice`);
      quantities[name] = readValue(rest.join("="), name, tables);
    } catch (error) {
      wrong.push(error.message);
    }
  }
  if (wrong.length) throw new Error(wrong.join("\n"));
  return { title: "your own device", quantities };
}

/** Make the panels work: `own` takes what was read, `show` brings the page to it. */
export function start({ panels, own, show, tables }) {
  const most = tables.config.limits.bytes;
  const find = (id) => panels.querySelector(`#${id}`);

  /** Read one thing; where it cannot be read or shown, the page stays with what it had. */
  const read = (key, fault, reading) => {
    const before = { ...own };
    find(fault).textContent = "";
    try {
      own[key] = reading();
      show();
    } catch (error) {
      delete own[key];
      Object.assign(own, before);
      show();
      find(fault).textContent = error.message;
    }
  };
  const config = (text) => read("model", "x-config-fault", () => model(text, tables));

  find("x-config-read").addEventListener("click", () => config(find("x-config").value));
  find("x-device-read").addEventListener("click", () => read("device", "x-device-fault", () => device(find("x-device-text").value, tables)));
  find("x-config-file").addEventListener("change", async ({ target: { files } }) => files[0] && config(await files[0].slice(0, most + 1).text()));
  // What is too long to be read is never laid out in the box.
  find("x-config").addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.length <= most) return;
    event.preventDefault();
    config(text);
  });
}
