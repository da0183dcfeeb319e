// What would make it fit: changes of single fields after each of which it does, or else the fewest in a row.
import { scenario } from "./scenario.mjs";

/** Changes as { says, change }, the cheapest first. */
export function remedies(work, found, state, data, own) {
  const room = (change) => scenario({ ...state, ...change }, data, own)[work].memory.room;
  const open = data.remedies[work].filter((change) => Object.entries(change).every(([key, value]) => isMore(data, key, value, state)));
  const batch = work === "serve" ? found.step("batch_that_fits").value : 0;
  const single = [...(batch >= 1 ? [{ batch: batch }] : []), ...open].filter((change) => room(change) >= 0);
  if (single.length || work === "serve") return single.map((change) => spoken(change, data));
  let together = {};
  for (const change of open) if (room((together = { ...together, ...change })) >= 0) return [spoken(together, data)];
  return [];
}

/** Whether a change saves more than what is chosen: a smaller number, or a word further down the list. */
function isMore(data, key, value, state) {
  const { words } = fieldOf(data, key);
  if (key === "sp" && state.tp === 1) return false;
  if (key === "weights" || key === "kv") return data.stored[value] < data.stored[state[key]];
  return words ? words.indexOf(value) > words.indexOf(state[key]) : value < state[key];
}

const fieldOf = (data, key) => Object.values(data.fields).flat().find((field) => field.key === key);

const spoken = (change, data) => ({
  says: Object.entries(change).map(([key, value]) => `${fieldOf(data, key).label}: ${String(value).replaceAll("_", " ")}`).join(", "),
  change,
});
