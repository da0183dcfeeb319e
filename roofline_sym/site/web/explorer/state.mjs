// What is chosen: read from the page's address and its fields, kept within bounds, and written back.

/** The fields by key, with those that choose an entry, or a word which depends on another choice. */
export const fieldsOf = (data) => {
  const choices = [{ key: "work", words: ["train", "serve"] }, { key: "model", entries: data.models.rows }, { key: "device", entries: data.hardware.rows }, { key: "format" }];
  return new Map([...Object.values(data.fields).flat(), ...choices].map((field) => [field.key, field]));
};

/** What a text means in a field; one that it cannot take leaves what was there before. */
export function taken(field, text, before, state, data) {
  if (field.entries) return named(field.entries, text) ?? before;
  const words = field.key === "format" ? formats(state, data) : field.words;
  if (words) return words.includes(text) ? text : before;
  const said = String(text).trim();
  if (said === "") return field.optional ? "" : before;
  const number = Number(said);
  if (!Number.isFinite(number)) return before;
  return Math.min(Math.max(field.whole ? Math.round(number) : number, field.least), field.most);
}

/** The entry that a text names: by its key, by its title, or by any part of that. */
function named(entries, text) {
  if (Object.hasOwn(entries, text)) return text;
  const [wanted, titles] = [String(text).trim().toLowerCase(), Object.entries(entries).map(([name, [title]]) => [name, title.toLowerCase()])];
  const found = wanted && (titles.find(([, title]) => title === wanted) ?? titles.find(([, title]) => title.includes(wanted)));
  return found ? found[0] : undefined;
}

/** The formats that the chosen device has a peak in. */
export const formats = (state, data) => Object.keys(data.peaks[state.device]);

/** A state with a field changed; with another device comes a format that it has. */
export function changed(state, key, text, data) {
  const next = { ...state, [key]: taken(fieldsOf(data).get(key), text, state[key], state, data) };
  return formats(next, data).includes(next.format) ? next : { ...next, format: data.default_formats[next.device] };
}

/** The state that an address holds; what it does not hold, or holds wrongly, is as at the start. */
export function fromQuery(query, data) {
  const asked = new URLSearchParams(query);
  return Object.keys(data.start).filter((key) => asked.has(key)).reduce((state, key) => changed(state, key, asked.get(key), data), data.start);
}

/** What an address must hold of a state: all that is not as at the start. */
export function toQuery(state, data) {
  const chosen = Object.entries(state).filter(([key, value]) => value !== data.start[key]);
  return chosen.length ? `?${new URLSearchParams(chosen)}` : "";
}
