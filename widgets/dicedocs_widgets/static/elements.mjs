// Elements of a page: making and changing them without losing the focus or repeating what a screen reader has said.

/** @import { CreateButton, CreateElement, SyncList } from "./wire" */

export const SPEAK_DELAY = 700; // ms without a key before an error is spoken

/** @type {(node: any, properties: object) => any} */
export const assign = Object.assign;

/** @type {CreateElement} */
export const h = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

// Adds styles once to the page, or to the part of it that styles of the page do not reach.
/** @param {HTMLElement} el @param {string} id @param {string} css */
export const addStyles = (el, id, css) => {
  const root = el.getRootNode(), home = root instanceof ShadowRoot ? root : document.head;
  if (!home.querySelector(`[id="${id}"]`)) home.append(h("style", { id }, css));
};

// Returns whether a node has the focus, or contains what has it.
/** @param {HTMLElement} node */
export const hasFocus = (node) => node.contains(/** @type {Document} */ (node.getRootNode()).activeElement);

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
  const focused = hasFocus(node);
  change();
  const next = /** @type {HTMLElement | null} */ (node.querySelector(selector));
  if (focused && !hasFocus(node)) next ? next.focus() : focusMain(node.closest(".dd-panel"));
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
