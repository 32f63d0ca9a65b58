// The characters to choose from.

/** @import { CharacterChoice, ControlView } from "./wire" */
import { assign, button, h, syncList, update } from "./elements.mjs";
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
  // One roll for each of several.
  const boxes = h("div", { className: "dd-do" });
  const chosen = () => [...boxes.querySelectorAll("input")].flatMap((one, index) => (one.checked ? [index] : []));
  const each = button(say("roll_each"), () => ask("roll-each", { items: chosen() })), order = button(say("roll_order"), () => ask("roll-each", { items: chosen(), name: "order" }));
  const several = h("details", { className: "dd-several" }, h("summary", {}, say("several")), boxes, h("div", { className: "dd-do" }, each, order));
  const syncBoxes = syncList(boxes, () => {
    const box = h("input", { type: "checkbox" }), name = h("span");
    return { node: h("label", {}, box, " ", name), show([text, able]) {
      if (name.textContent !== text) box.checked = able;
      update(name, text);
    } };
  });
  const all = h("div", {}, node, several);
  return { node: all, show({ characters = [], game, seated }) {
    sync(characters);
    all.hidden = !characters.length;
    const { names = [], able = [] } = characters[0] ?? {};
    several.hidden = !!game || names.length < 2;
    order.hidden = !seated;
    syncBoxes(names.map((name, index) => [name, able[index]]));
  } };
};
