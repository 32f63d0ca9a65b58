// A list of rolls, the pinned ones first, then newest first. A press on a roll chooses it.

/** @import { LogRow, RollList } from "./wire" */
import { assign, button, h, keepFocus } from "./elements.mjs";
import { describeRoll, diceSource } from "./log_row.mjs";
import { rovingFocus } from "./roving_focus.mjs";

/** @type {RollList} */
export const rollList = (choose, describeMore) => {
  const node = h("ol", { role: "list" }), resetStop = rovingFocus(node, 2);
  /** @type {Map<string, HTMLElement>} */
  let nodes = new Map();
  let chosen = 0;
  const createEntry = (/** @type {LogRow} */ row) => {
    const { roll } = row, [text, press, properties] = describeMore(row);
    const entry = button("", () => choose(roll), { title: diceSource(row), value: `${roll}` });
    entry.append(...describeRoll(row));
    return h("li", {}, entry, button(text, press, properties));
  };
  const mark = () => {
    for (const { firstElementChild } of node.children) assign(firstElementChild, { ariaCurrent: `${+/** @type {HTMLButtonElement} */ (firstElementChild).value === chosen}` });
  };
  return {
    node,
    mark: (roll) => ((chosen = roll), mark()),
    show: (rolls) => keepFocus(node, () => {
      // A roll keeps its node at any position: most of a long history stays the same.
      const before = nodes;
      nodes = new Map(rolls.map((roll) => {
        const key = JSON.stringify(roll);
        return [key, before.get(key) ?? createEntry(roll)];
      }));
      for (const [key, entry] of before) if (!nodes.has(key)) entry.remove();
      [...nodes.values()].forEach((entry, index) => node.children[index] === entry || node.insertBefore(entry, node.children[index] ?? null));
      resetStop();
      mark();
    }),
  };
};
