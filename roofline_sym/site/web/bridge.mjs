// What Python talks to: a JSON request a line in, a JSON answer a line out, in order.
import { createInterface } from "node:readline";
import katex from "katex";
import { chart } from "./chart.mjs";

const verbs = {
  formula: ({ latex, display }) =>
    katex.renderToString(latex, { displayMode: display, output: "htmlAndMathml", strict: "error", throwOnError: true }),
  chart: ({ spec, ...size }) => chart(spec, size),
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const { verb, ...content } = JSON.parse(line);
    answer = { value: verbs[verb](content) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
