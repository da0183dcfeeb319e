// What the browser's readers make of texts: a JSON list of cases in, a JSON list of outcomes out, in order.
import { ConfigError, readConfig } from "../../roofline_sym/site/web/config.mjs";
import { readValue, TextError } from "../../roofline_sym/site/web/text.mjs";

let given = "";
for await (const part of process.stdin.setEncoding("utf-8")) given += part;
const { tables, cases } = JSON.parse(given);

const outcomes = cases.map(({ pieces, quantity, ...options }) => {
  const text = pieces.map(([part, times]) => part.repeat(times)).join(""); // so that a large case need not be sent
  const start = process.cpuUsage(); // the machine may be busy with other things
  const outcome = {};
  try {
    outcome.value = quantity ? readValue(text, quantity, tables) : readConfig(text, tables, options);
  } catch (error) {
    outcome.error = error.message;
    if (!(error instanceof ConfigError || error instanceof TextError)) outcome.bug = error.stack;
  }
  return { ...outcome, milliseconds: process.cpuUsage(start).user / 1000 };
});
process.stdout.write(JSON.stringify(outcomes));
