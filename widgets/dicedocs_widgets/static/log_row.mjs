// A roll in the log: its number, its time, its verdict, and what was rolled.

/** @import { LogRow } from "./wire" */
import { h } from "./elements.mjs";
import { say } from "./texts.mjs";
import { toneIcon } from "./verdict.mjs";

/** @param {LogRow} row */
export const diceSource = ({ seed }) => (seed ? say("seed_of", { seed }) : say("by_hand"));

/** @param {LogRow} row */
export const describeRoll = ({ roll, time = "", who, label, what: played, values, action, formula, faces, verdict, tone = "", note, struck, effect, before, after, waits, refused }) => {
  const what = [who, label, played && values ? `${played} (${values})` : played, action, formula && faces ? say("labelled", { label: formula, text: faces }) : formula || faces].filter(Boolean).join(" · ");
  const rolled = h("span", { className: `dd-rolled${struck ? " dd-struck" : ""}` }, h("b", { className: `dd-tone-${tone}` }, ...toneIcon(tone), verdict), " ", h("span", {}, what));
  for (const more of [waits && `(${waits})`, before, effect, refused, note, after]) if (more) rolled.append(" ", h("em", {}, more));
  if (struck) rolled.append(h("span", { className: "dd-unseen" }, say("struck")));
  return [h("span", { className: "dd-number" }, `${roll}`), h("span", { className: "dd-time" }, time.slice(11, 16)), rolled];
};
