// What would make it fit: changes of single fields after each of which it does, or else the fewest in a row.
import { scenario } from "./scenario.mjs";

/** Changes as { says, change }, the cheapest first. */
export function remedies(work, { step }, state, data, own) {
  const fields = new Map(Object.values(data.fields).flat().map((field) => [field.key, field]));
  const fits = (change) => scenario({ ...state, ...change }, data, own)[work].memory.room >= 0;
  // A smaller number saves more, and so does a word further down the list.
  const saves = ([key, value]) => (fields.get(key).words?.indexOf(value) ?? -value) > (fields.get(key).words?.indexOf(state[key]) ?? -state[key]);
  const open = data.remedies[work].filter((change) => Object.entries(change).every(saves));
  const batch = work === "serve" ? step("batch_that_fits").value : 0;
  const found = [...(batch >= 1 ? [{ batch }] : []), ...open].filter(fits);
  let together = {};
  if (!found.length) found.push(...open.map((change) => (together = { ...together, ...change })).filter(fits).slice(0, 1));
  const says = (change) => Object.entries(change).map(([key, value]) => `${fields.get(key).label}: ${value}`).join(", ");
  return found.map((change) => ({ says: says(change), change }));
}
