// What a player has besides dice, such as health: numbers, with a meter if there is a maximum.

/** @import { GameState } from "./wire" */
import { h } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @param {HTMLElement} node @param {GameState["gauges"]} gauges */
export const showGauges = (node, gauges) => node.replaceChildren(...gauges.map(({ label, value, of: max }) => {
  const limited = max !== null;
  return h("p", {}, label, limited ? h("meter", { max, value, ariaLabel: label }) : "", h("b", {}, limited ? say("of", { value, maximum: max }) : `${value}`));
}));
