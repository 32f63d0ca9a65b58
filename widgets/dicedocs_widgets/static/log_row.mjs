// A roll in the log: its number, its time, its verdict, and what was rolled.

/** @import { LogRow } from "./wire" */
import { h } from "./elements.mjs";
import { say } from "./texts.mjs";
import { toneIcon } from "./verdict.mjs";

/** @param {LogRow} row */
export const diceSource = ({ seed }) => (seed ? say("seed_of", { seed }) : say("by_hand"));

/** @param {LogRow} row */
export const describeRoll = ({ roll, time = "", who = "", label = "", action = "", formula = "", faces = "", verdict, tone = "" }) => {
  const what = [who, label, action, formula && faces ? say("labelled", { label: formula, text: faces }) : formula || faces].filter(Boolean).join(" · ");
  return [h("span", { className: "dd-number" }, `${roll}`), h("span", { className: "dd-time" }, time.slice(11, 16)),
    h("span", { className: "dd-rolled" }, h("b", { className: `dd-tone-${tone}` }, ...toneIcon(tone), verdict), " ", h("span", {}, what))];
};
