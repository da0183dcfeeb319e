// A reader's own model and device: the library's errors in the library's words. It is a part of the script that is
// loaded when a panel is first opened.
import { readConfig } from "../config.mjs";
import { first, quoted } from "../reading/python.mjs";
import { readValue } from "../text.mjs";

const [LONGEST, MOST, LAID] = [10_000, 12, 100_000]; // characters of a device, lines of what is wrong, characters in a box

/** A model from the text of a config. */
export function model(text, tables) {
  const { quantities, contextLimit } = readConfig(text, tables);
  return { title: "your own model", quantities, limit: contextLimit ?? 0 };
}

/** A device from lines `name = value unit`; everything that is wrong with them is told at once. What it lacks, the page says. */
export function device(text, tables) {
  const [quantities, wrong, names] = [{}, [], Object.keys(tables.quantities)];
  const like = `'name = value unit', with a name of ${names.join(", ")}`;
  if (text.length > LONGEST) throw new Error(`a device is told in at most ${LONGEST} characters`);
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const [name, ...rest] = line.split("=").map((part) => part.trim());
    try {
      if (!rest.length || !names.includes(name)) throw new Error(`${quoted(first(line, 40))} is not ${like}`);
      if (name in quantities) throw new Error(`${name} is given twice`);
      quantities[name] = readValue(rest.join("="), name, tables);
    } catch (error) {
      wrong.push(error.message);
    }
  }
  if (!wrong.length && !Object.keys(quantities).length) wrong.push(`nothing is said; a line is ${like}`);
  if (wrong.length) throw new Error(wrong.slice(0, MOST).join("\n"));
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
  find("x-config-file").addEventListener("click", ({ target }) => (target.value = "")); // so that the same file can be taken again
  // What is very long is read at once, and never laid out in the box, which takes a browser many seconds.
  const put = (event) => {
    const text = (event.clipboardData ?? event.dataTransfer)?.getData("text") ?? "";
    if (text.length <= LAID) return;
    event.preventDefault();
    config(text);
  };
  for (const kind of ["paste", "drop"]) find("x-config").addEventListener(kind, put);
}
