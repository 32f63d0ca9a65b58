// Elements of a page: making and changing them without losing the focus or repeating what a screen reader has said.

/** @import { CreateButton, CreateElement, EditableList, State, SyncList } from "./wire" */

export const SPEAK_DELAY = 700; // ms without a key before an error is spoken
/** @type {Record<string, number>} */
export const KEY_STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };

/** @type {(node: any, properties: object) => any} */
export const assign = Object.assign;

/** @type {CreateElement} */
export const h = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

/** @type {CreateButton} */
export const button = (text, press, properties) => {
  const node = h("button", { type: "button", onclick: () => node.ariaDisabled !== "true" && press(), ...properties }, text);
  return node;
};

// Sets a property only if it changes: each time it is set, a live region speaks and a box loses its caret.
/** @param {any} node @param {string} [text] @param {string} [property] */
export const update = (node, text = "", property = "textContent") => void (node[property] === text || (node[property] = text));

// Sets the text of a live region so that it is spoken even if it is the same as before.
/** @param {HTMLElement} node @param {string} text */
export const announce = (node, text) => ((node.textContent = ""), setTimeout(update, 50, node, text));

/** @param {Element | null} panel */
export const focusMain = (panel) => /** @type {HTMLElement | null | undefined} */ (panel?.querySelector(".dd-main:not([hidden])"))?.focus();

// Changes the content of a node. If the focused element is removed, the focus moves to another button there, or to Roll.
/** @param {HTMLElement} node @param {() => void} change */
export const keepFocus = (node, change, selector = "button") => {
  const focused = node.contains(document.activeElement);
  change();
  const next = /** @type {HTMLElement | null} */ (node.querySelector(selector));
  if (focused && !node.contains(document.activeElement)) next ? next.focus() : focusMain(node.closest(".dd-panel"));
};

// Keeps one control per item. Controls that stay keep their nodes, and so the focus.
/** @type {SyncList} */
export const syncList = (parent, create) => {
  /** @type {ReturnType<typeof create>[]} */
  const controls = [];
  return (items, state) => {
    while (controls.length > items.length) controls.pop()?.node.remove();
    items.forEach((item, index) => {
      if (!controls[index]) parent.append((controls[index] = create(index)).node);
      controls[index].show(item, state);
    });
  };
};

/** @type {EditableList} */
export const editableList = (node, change, create) => {
  /** @type {any[]} */
  let items;
  /** @type {State} */
  let state;
  const sync = syncList(node, (index) => create(index, (item) => edit(items.with(index, item)), () => edit(items.toSpliced(index, 1))));
  const edit = (/** @type {any[]} */ edited) => {
    change((items = edited));
    keepFocus(node.parentElement ?? node, () => sync(edited, state), ":scope > div > :last-child > button, :scope > button");
  };
  const show = (/** @type {any[]} */ newItems, /** @type {State} */ newState) => sync((items = newItems ?? []), (state = newState));
  return { add: (item) => edit([...items, item]), removeLast: () => edit(items.slice(0, -1)), show };
};

// Makes the buttons of a group a single tab stop, with arrow keys, Home and End to move among them.
/** @param {HTMLElement} group @param {number} columns how many buttons stand in a row */
export const rovingFocus = (group, columns = 1) => {
  const buttons = () => [...group.querySelectorAll("button")];
  const setStop = (/** @type {any} */ stop) => buttons().forEach((one) => (one.tabIndex = one === stop ? 0 : -1));
  group.addEventListener("focusin", ({ target }) => setStop(target));
  group.onkeydown = (event) => {
    const step = KEY_STEPS[event.key], all = buttons(), at = all.findIndex((one) => one === event.target);
    if (!step) return;
    event.preventDefault();
    // Left and right go through all of them, the other keys stay in their column.
    const width = /Left|Right/.test(event.key) ? 1 : columns;
    all[Math.max(0, Math.min(all.length / width - 1, Math.floor(at / width) + step)) * width + (at % width)].focus();
  };
  return () => setStop(buttons().find((one) => one === document.activeElement) ?? buttons()[0]);
};
