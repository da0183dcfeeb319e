// A number explained: a tree of what it was computed from, down to what was given, each part built when it is opened.
import { told } from "./view.mjs";
import { matters } from "../walk.mjs";

const OPEN = 2; // levels that are open at first

/** An element with what is in it; texts become text and nothing else. */
export function make(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
}

/** Show how a step was made; `mine` are the quantities that a reader chose. */
export function explain(dialog, step, mine, { model, device }, data) {
  const by = (name) => (name in mine ? "you" : name in device.quantities ? device.title : name in model.quantities ? model.title : "this page");
  dialog.querySelector(".tree").replaceChildren(branch(step, 0, by, data));
  dialog.showModal();
  dialog.scrollTop = 0;
}

const value = ({ name, value: number }, data) => make("b", {}, told(name, number, data));

function branch(step, depth, by, data) {
  const { means, says } = data.names[step.name];
  const name = make("code", {}, step.name);
  if (step.origin !== "equation") return make("p", { class: "leaf" }, name, " = ", value(step, data), make("span", { class: "by" }, origin(step, by, data)), make("span", { class: "means" }, means));
  const inner = make("div", { class: "inner" });
  const grow = () => {
    if (inner.childNodes.length) return;
    const present = used(step, data);
    const absent = step.parts.filter((part) => part.value === 0).map((part) => part.name);
    inner.append(
      make("p", { class: "says" }, make("a", { href: `equations/${step.name}.html` }, step.name), ` = ${says}`),
      ...present.map((part) => branch(part, depth + 1, by, data)),
      ...(absent.length ? [make("p", { class: "absent" }, `${absent.join(", ")} ${absent.length > 1 ? "are" : "is"} 0`)] : []),
    );
  };
  const whole = make("details", {}, make("summary", {}, name, " = ", value(step, data), make("span", { class: "means" }, means)), inner);
  whole.addEventListener("toggle", grow);
  if (depth < OPEN) grow();
  whole.open = depth < OPEN;
  return whole;
}

/** The parts that a step's value rests on: no branch that is not taken, and nothing that is multiplied by 0. */
function used({ name, parts, value: whole }, data) {
  const [inputs, formula] = globalThis.roofline.equations[name];
  const places = inputs.split(" ");
  const values = places.map((place) => parts.find((part) => part.name === place)?.value ?? 1); // what is missing changes nothing
  return parts.filter((part) => part.value !== 0 && (data.names[part.name].words || matters(formula, values, places.indexOf(part.name), whole)));
}

const origin = ({ name, origin: from }, by, data) => (from === "given" ? `given by ${by(name)}` : `default, ${data.names[name].source ?? ""}`);
