// A list whose items are changed, added and removed.

/** @import { EditableList, State } from "./wire" */
import { keepFocus, syncList } from "./elements.mjs";

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
  return { add: (item) => edit([...items, item]), show };
};
