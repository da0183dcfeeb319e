// What Python talks to: a JSON request a line in, a JSON answer a line out, in order.
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";
import katex from "katex";
import { chart } from "./chart.mjs";

const HERE = import.meta.dirname ?? new URL(".", import.meta.url).pathname;

const verbs = {
  formula: ({ latex, display }) =>
    katex.renderToString(latex, { displayMode: display, output: "htmlAndMathml", strict: "error", throwOnError: true }),
  chart: ({ spec, ...size }) => chart(spec, size),
  bundle: ({ entry, text }) => bundled(entry ? { entryPoints: [entry] } : { stdin: { contents: text, resolveDir: HERE } }),
  ours: ({ entry }) => bundled({ entryPoints: [entry], packages: "external", format: "esm" }),
  run: ({ text }) => void (0, eval)(text), // our own generated script, which defines what is global on a page
  call: async ({ module, name, args }) => (await import(`./${module}`))[name](...args),
};

/** A classic script, for browsers load no module from a file. */
function bundled(from) {
  const made = buildSync({
    absWorkingDir: HERE, bundle: true, charset: "utf8", format: "iife", legalComments: "none", logLevel: "silent",
    minify: true, target: "es2022", write: false, ...from,
  });
  return made.outputFiles[0].text;
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const { verb, ...content } = JSON.parse(line);
    answer = { value: (await verbs[verb](content)) ?? null };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
