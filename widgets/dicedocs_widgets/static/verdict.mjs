// What a roll comes to: an icon, words and a number, so that no colour has to be seen.

/** @import { ShowVerdict } from "./wire" */
import { assign, h } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @param {string} tone */
export const toneIcon = (tone) => (tone ? [h("i", { ariaHidden: "true" }, say(`icon_${tone}`))] : []);

/** @type {ShowVerdict} */
export const showVerdict = (node, [tone, text, number]) => {
  assign(node, { className: `dd-verdict dd-tone-${tone}` });
  node.replaceChildren(h("b", {}, ...toneIcon(tone), text), " ", h("span", {}, number));
};
