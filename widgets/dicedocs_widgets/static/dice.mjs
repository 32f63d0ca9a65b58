// Drawings of dice.

/** @import { DrawDie } from "./wire" */
import { h, update } from "./elements.mjs";
import { say, translated } from "./texts.mjs";

const FAMILIAR = new Set([4, 6, 8, 10, 12, 20]); // dice whose shape everybody knows; others are named
/** @type {Record<string, string>} */
let shapes = {};

/** @param {Record<string, string>} newShapes */
export const useShapes = (newShapes) => void (shapes = newShapes);

// Returns the numbers of sides that have a shape of their own.
export const usualSides = () => Object.keys(shapes).filter(Number);

/** @type {DrawDie} */
export const drawDie = ([sides, face, state = "", count = 1], caption = "") => {
  const known = state in shapes, shown = `${face}`.replace(/^-/, "−"), digits = shown.length, hidden = face === "–"; // a face that does not matter
  const svg = ((hidden || !isNaN(+face)) && shapes[sides] || shapes[""]).replace("{kind}", state && ` dice-is-${known ? state.replaceAll(" ", "-") : "marked"}`);
  const node = h("span", { innerHTML: svg.replace("{strokes}", state && known ? shapes[state] : "").replace(/{\w+}/g, "") });
  const word = translated(state);
  const key = `${hidden ? "hidden" : `showing${count > 1 ? "_several" : ""}`}${state && "_state"}`;
  const name = say(key, { count, sides, face: shown, state: word });
  node.firstElementChild?.setAttribute("aria-label", name);
  update(node.querySelector("text"), shown);
  if (digits > 2) node.querySelector("text")?.setAttribute("font-size", `${54 / digits}`);
  caption ||= known ? "" : word;
  if (!FAMILIAR.has(+sides)) caption = [say("die", { sides }), caption].filter(Boolean).join(" ");
  if (caption || count > 1) node.append(h("small", {}, count > 1 ? `× ${count} ${caption}` : caption));
  return node;
};
