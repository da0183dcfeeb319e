// What is chosen: read from the page's address and its fields, kept within bounds, and written back.

/** The fields by key, with those that choose an entry, or a word which depends on another choice. */
export const fieldsOf = (data) => {
  const choices = [{ key: "work", words: ["train", "serve"] }, { key: "model", entries: data.models.rows }, { key: "device", entries: data.hardware.rows }, { key: "format" }];
  return new Map([...Object.values(data.fields).flat(), ...choices].map((field) => [field.key, field]));
};

/** What a text means in a field; one that it cannot take leaves what was there before. */
function taken({ key, entries, words, optional, whole, least, most }, text, state, data) {
  const [said, before] = [String(text).trim(), state[key]];
  if (entries) return named(entries, said) || before;
  const known = key === "format" ? formats(state, data) : words;
  if (known) return known.includes(said) ? said : before;
  if (!said) return optional ? "" : before;
  const number = Number(said);
  return Number.isFinite(number) ? Math.min(Math.max(whole ? Math.round(number) : number, least), most) : before;
}

/** The entry that a text names: by its key, by its title, by how that begins, or by any part of it. */
export function named(entries, text) {
  if (Object.hasOwn(entries, text)) return text;
  const wanted = text.toLowerCase();
  const titles = Object.entries(entries).map(([name, [title]]) => [name, title.toLowerCase()]);
  const where = [(title) => title === wanted, (title) => title.startsWith(wanted), (title) => title.includes(wanted)];
  return wanted && where.map((fits) => titles.find(([, title]) => fits(title))).find(Boolean)?.[0];
}

/** The formats that the chosen device has a peak in. */
export const formats = (state, data) => Object.keys(data.peaks[state.device]);

/** A state with a field changed; with another device comes a format that it has. */
export function changed(state, key, text, data) {
  const next = { ...state, [key]: taken(fieldsOf(data).get(key), text, state, data) };
  return formats(next, data).includes(next.format) ? next : { ...next, format: data.default_formats[next.device] };
}

/** The state that an address holds; what it does not hold, or holds wrongly, is as at the start. */
export function fromQuery(query, data) {
  const asked = new URLSearchParams(query);
  return Object.keys(data.start).filter((key) => asked.has(key)).reduce((state, key) => changed(state, key, asked.get(key), data), data.start);
}

/** What an address must hold of a state: all that is not as at the start, and that one's own model or device is not in it. */
export function toQuery(state, data, own = {}) {
  const chosen = Object.entries(state).filter(([key, value]) => value !== data.start[key] && !own[key]);
  if (Object.keys(own).length) chosen.push(["own", Object.keys(own).join(" ")]);
  return chosen.length ? `?${new URLSearchParams(chosen)}` : "";
}
