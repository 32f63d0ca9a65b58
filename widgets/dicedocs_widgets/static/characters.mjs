// The characters to choose from.

/** @import { CharacterChoice, SlotChoice } from "./wire" */
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
  // One roll for each of several, or one attack on several.
  const order = button(say("roll_order"), () => ask("roll-each", { items: actors.chosen(), name: "order" }));
  const actors = ticks(button(say("roll_each"), () => ask("roll-each", { items: actors.chosen() })), order);
  const targets = ticks(button(say("roll_at_each"), () => ask("roll-each", { items: targets.chosen(), name: "target" })));
  const several = h("details", { className: "dd-several" }, h("summary", {}, say("several")), actors.node, targets.node);
  const all = h("div", {}, node, several);
  return { node: all, show({ characters = [], game, seated }) {
    sync(characters);
    all.hidden = !characters.length;
    several.hidden = !!game || (characters[0]?.names.length ?? 0) < 2;
    order.hidden = !seated;
    actors.show(characters[0]);
    targets.show(characters.find(({ slot }, index) => index && slot === "target"));
  } };
};

// Characters to tick: nobody at first, then those of the last group.
/** @param {HTMLElement[]} buttons */
const ticks = (...buttons) => {
  const boxes = h("div", { className: "dd-do" }), inputs = () => [...boxes.querySelectorAll("input")], legend = h("legend");
  /** @type {boolean[]} */
  let able = [];
  let last = "";
  const tick = (/** @type {boolean[]} */ ticked) => inputs().forEach((one, index) => void (one.checked = !!ticked[index]));
  const sync = syncList(boxes, () => {
    const box = h("input", { type: "checkbox" }), name = h("span");
    return { node: h("label", {}, box, " ", name), show: (text) => update(name, text) };
  });
  const node = h("fieldset", {}, legend, boxes, h("div", { className: "dd-do" }, button(say("all"), () => tick(able)), button(say("nobody_ticked"), () => tick([])), ...buttons));
  return { node, chosen: () => inputs().flatMap((one, index) => (one.checked ? [index] : [])), show(/** @type {SlotChoice | undefined} */ slot) {
    node.hidden = !slot;
    if (!slot) return;
    update(legend, slot.label);
    able = slot.able;
    sync(slot.names);
    if (last !== (last = slot.group.join())) tick(slot.group);
  } };
};
