// Dice that can be pressed.

/** @import { DiceButtons } from "./wire" */
import { drawDie } from "./dice.mjs";
import { assign, button, h, syncList } from "./elements.mjs";
import { rovingFocus } from "./roving_focus.mjs";

// `describe` returns for each its drawing, name, pressed state, caption and disabled state.
/** @type {DiceButtons} */
export const diceButtons = (press, describe) => {
  const node = h("div", { className: "dd-dice" }), resetStop = rovingFocus(node);
  const sync = syncList(node, (index) => {
    const die = button("", () => press(index));
    return { node: die, show(item) {
      const [drawing, ariaLabel, ariaPressed = null, caption = "", ariaDisabled = false] = describe(item, index);
      assign(die, { ariaLabel, ariaPressed, ariaDisabled }).replaceChildren(drawDie(drawing, caption));
    } };
  });
  return { node, show: (items) => (sync(items), resetStop()) };
};
