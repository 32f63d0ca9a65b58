// The characters to choose from.

/** @import { CharacterChoice, ControlView } from "./wire" */
import { assign, h, syncList, update } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {CharacterChoice} */
export const characterChoice = (view, ask) => {
  const node = h("div", { className: "dd-fields dd-characters" });
  const sync = syncList(node, (index) => {
    const id = `${view}-.character${index}`, label = h("label", { htmlFor: id });
    let slot = "", shown = "";
    const select = h("select", { id, onchange: () => ask("character", { name: slot, item: +select.value }) });
    return { node: h("div", { className: "dd-field dd-is-choice" }, label, select), show(item) {
      slot = item.slot;
      update(label, item.label);
      // Options that are replaced close an open list.
      if (shown !== (shown = item.names.join("\0"))) select.replaceChildren(h("option", { value: "-1", disabled: true }, say("nobody")), ...item.names.map((/** @type {string} */ name, /** @type {number} */ value) => h("option", { value: `${value}` }, name)));
      assign(select, { value: `${item.chosen}` });
    } };
  });
  return { node, show: ({ characters = [] }) => (sync(characters), (node.hidden = !characters.length)) };
};
