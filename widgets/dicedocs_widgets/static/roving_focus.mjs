// Groups of buttons that are a single tab stop.

import { hasFocus } from "./elements.mjs";

/** @type {Record<string, number>} */
export const KEY_STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

// Makes the buttons of a group a single tab stop, with arrow keys, Home and End to move among them.
/** @param {HTMLElement} group */
export const rovingFocus = (group) => {
  const buttons = () => [...group.querySelectorAll("button")];
  const setStop = (/** @type {any} */ stop) => buttons().forEach((one) => (one.tabIndex = one === stop ? 0 : -1));
  group.addEventListener("focusin", ({ target }) => setStop(target));
  group.onkeydown = (event) => {
    const step = KEY_STEPS[event.key], { className } = /** @type {HTMLElement} */ (event.target);
    if (!step) return;
    event.preventDefault();
    // Left and right go through all of them, the other keys stay in their column, whose buttons are of one class.
    const line = buttons().filter((one) => /Left|Right/.test(event.key) || one.className === className);
    line[Math.max(0, Math.min(line.length - 1, line.findIndex((one) => one === event.target) + step))].focus();
  };
  return () => setStop(buttons().find(hasFocus) ?? buttons()[0]);
};
