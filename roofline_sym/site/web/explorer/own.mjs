// A reader's own model and device: read by the script that reads them, which is loaded when a panel is first opened.

/** Make the panels work; `own` takes what was read, and `then` is called when it has. */
export function ownEntries(panels, own, data, then) {
  for (const panel of panels.querySelectorAll("details")) panel.addEventListener("toggle", loaded, { once: true });
  const tell = (what, text) => (panels.querySelector(`#x-${what}-fault`).textContent = text);
  const note = () => {
    const names = Object.values(own).map((entry) => entry.title);
    panels.querySelector("#explorer-own").textContent = names.length ? `Computed with ${names.join(" and ")}.` : "";
  };

  /** Read one thing; what cannot be read is told in the library's words, and all else stays as it was. */
  const read = async (what, key, reading) => {
    tell(what, "");
    try {
      const reader = await loaded();
      const before = own[key];
      own[key] = reading(reader);
      try {
        then();
      } catch (error) {
        if (before) own[key] = before;
        else delete own[key];
        then();
        throw error;
      }
    } catch (error) {
      tell(what, error.message);
    }
    note();
  };

  const config = panels.querySelector("#x-config");
  const readConfig = (text) => read("config", "model", (reader) => reader.model(text));
  panels.querySelector("#x-config-read").addEventListener("click", () => readConfig(config.value));
  panels.querySelector("#x-config-file").addEventListener("change", async ({ target }) => {
    const reader = await loaded();
    if (target.files[0]) readConfig(await target.files[0].slice(0, reader.largest + 1).text());
  });
  // A text that is refused for its length is never laid out.
  config.addEventListener("paste", async (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (text.length <= 2 ** 20) return;
    event.preventDefault();
    readConfig(text);
  });
  panels.querySelector("#x-device-read").addEventListener("click", () =>
    read("device", "device", (reader) => reader.device(panels.querySelector("#x-device-text").value, data)),
  );
}

let loading;

/** The reader, once its script is there; a script tag also works on a page from a disk. */
function loaded() {
  loading ??= new Promise((done, failed) => {
    if (globalThis.roofline.reader) return done(globalThis.roofline.reader);
    const script = document.createElement("script");
    script.src = "assets/explorer-reader.js";
    script.addEventListener("load", () => done(globalThis.roofline.reader));
    script.addEventListener("error", () => failed(new Error("the script that reads pasted text could not be loaded")));
    document.head.append(script);
  });
  return loading;
}
