// A dice tray: dice to press, a modifier, how the d20 is thrown, and favourite rolls.

/** @import { DiceTray, Tray } from "./wire" */
import { drawDie } from "./dice.mjs";
import { assign, button, h, hasFocus, update } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {DiceTray} */
export const diceTray = (form, ask) => {
  if (!form) return { node: h("div", { hidden: true }), show() {} };
  const { dice, modes } = form;
  const dieButtons = dice.map((sides) => {
    const count = h("b"), add = (/** @type {number} */ number) => ask("add", { die: sides, dice: number });
    const die = h("button", { type: "button" }, h("span", { ariaHidden: "true" }, drawDie([sides, sides])), count);
    const press = (/** @type {Event} */ event, /** @type {number} */ number) => (event.preventDefault(), die.ariaDisabled === "true" || add(number));
    die.onclick = (event) => void press(event, event.shiftKey ? -1 : 1);
    die.oncontextmenu = (event) => (event.stopPropagation(), void press(event, -1)); // JupyterLab has a menu of its own
    die.onkeydown = (event) => void (["-", "Delete", "Backspace"].includes(event.key) && press(event, -1)); // false would cancel the key
    const less = button("−", () => add(-1), { tabIndex: -1, ariaLabel: say("less_die", { sides }) });
    return { node: h("div", {}, die, less), show(/** @type {number} */ number) {
      update(count, number ? `${number}` : "");
      assign(die, { ariaLabel: say("add_die_count", { sides, count: number }) });
      assign(less, { ariaDisabled: !number });
    } };
  });
  const diceRow = h("div", { role: "group", ariaLabel: say("dice"), className: "dd-tray-dice" }, ...dieButtons.map((one) => one.node));
  const bonus = h("b", { ariaLive: "polite" }), label = say("modifier"), addBonus = (/** @type {number} */ number) => ask("add", { die: 0, dice: number });
  const modifier = h("div", { role: "group", ariaLabel: label, className: "dd-tray-modifier" }, h("span", {}, label),
    button("−", () => addBonus(-1), { ariaLabel: say("one_less", { label }) }), bonus, button("+", () => addBonus(1), { ariaLabel: say("one_more", { label }) }));
  const modeButtons = modes.map(({ name, label }) => ({ name, node: button(label, () => ask("mode", { name })) }));
  const modeRow = h("div", { role: "group", ariaLabel: say("mode"), className: "dd-tray-modes" }, ...modeButtons.map((one) => one.node));
  const keep = button(say("keep"), () => ask("keep")), empty = button(say("empty"), () => ask("empty"));
  const favourites = h("div", { className: "dd-favourites" });
  const node = h("div", { className: "dd-tray" }, favourites, diceRow, h("div", {}, modifier, modeRow, h("div", { className: "dd-do" }, empty, keep)));

  const showFavourites = (/** @type {Tray["favourites"]} */ groups) => {
    const open = [...favourites.children].map((one) => /** @type {HTMLDetailsElement} */ (one).open);
    let item = 0;
    favourites.replaceChildren(...groups.map(({ name, rolls, resources }, character) => h("details", { open: open[character] ?? groups.length === 1 }, h("summary", {}, name || say("favourites")), ...rolls.map(([text, notation, kept]) => {
      const index = item++, roll = button("", () => ask("favourite", { item: index }), { ariaLabel: say("roll_favourite", { name: `${name} ${text}`.trim() }) });
      roll.append(h("b", {}, text), h("small", {}, notation === text ? "" : ` ${notation}`));
      return h("span", {}, roll, kept ? button("×", () => ask("forget", { item: index }), { ariaLabel: say("remove", { name: text }) }) : "");
    }), ...resources.map(([text, number, used]) => button(`${text} ${number}`, () => ask("resource", { name: text, item: character }), { ariaPressed: `${used}`, className: "dd-resource" })))));
  };
  let shown = "";
  return { node, show({ tray, can }) {
    if (!tray) return;
    dieButtons.forEach((one, index) => one.show(tray.counts[index]));
    update(bonus, tray.modifier > 0 ? `+${tray.modifier}` : `${tray.modifier}`.replace("-", "−"));
    for (const { name, node } of modeButtons) assign(node, { ariaPressed: `${tray.mode === name}`, ariaDisabled: tray.mode === null });
    assign(keep, { ariaDisabled: !can.roll });
    if (shown !== (shown = JSON.stringify(tray.favourites))) {
      // The button that had the focus is made again; what was removed leaves it to the next one.
      const all = () => [...favourites.querySelectorAll("button")], at = all().findIndex(hasFocus);
      showFavourites(tray.favourites);
      if (at >= 0) (all()[at] ?? keep).focus();
    }
    favourites.hidden = !tray.favourites.length;
  } };
};
