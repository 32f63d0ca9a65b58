// What a roll comes to: an icon, words and a number, so that no colour has to be seen.

/** @import { ShowVerdict } from "./wire" */
import { assign, h } from "./elements.mjs";

/** @type {Record<string, string>} */
const ICONS = { success: "✓", partial: "◐", failure: "✗" };

/** @param {string} tone */
export const toneIcon = (tone) => (tone in ICONS ? [h("i", { ariaHidden: "true" }, ICONS[tone])] : []);

/** @type {ShowVerdict} */
export const showVerdict = (node, [tone, text, number]) => {
  assign(node, { className: `dd-verdict dd-tone-${tone}` });
  node.replaceChildren(h("b", {}, ...toneIcon(tone), text), " ", h("span", {}, number));
};
