// The history as a log: the pinned rolls first, then newest first. A press on a roll shows it.

/** @import { HistoryList, LogRow } from "./wire" */
import { copyBox } from "./copy.mjs";
import { assign, button, h, keepFocus } from "./elements.mjs";
import { describeRoll, diceSource } from "./log_row.mjs";
import { rovingFocus } from "./roving_focus.mjs";
import { say } from "./texts.mjs";

/** @type {HistoryList} */
export const historyList = (view, ask, clear) => {
  const list = h("ol", { role: "list" }), resetStop = rovingFocus(list, 2), copy = copyBox(`${view}-.log`, say("log"));
  const again = button(say("again"), () => ask("replay", { roll: selected }));
  const formats = [["text", say("format_text")], ["csv", "CSV"], ["markdown", "Markdown"]].map(([value, name]) => h("option", { value }, name));
  const format = h("select", { id: `${view}-.format`, onchange: () => askText() }, ...formats);
  const askText = () => log.open && ask("log", { format: format.value });
  const log = h("details", { className: "dd-log", ontoggle: askText }, h("summary", {}, say("copy_log")),
    h("div", {}, h("label", { htmlFor: format.id }, say("format")), format), copy.node);
  const node = h("details", { open: true, hidden: true, className: "dd-past" }, h("summary", {}, say("history")), list, h("div", { className: "dd-do" }, again, clear), log);
  let selected = 0;
  /** @type {Map<string, HTMLElement>} */
  let nodes = new Map();
  const createEntry = (/** @type {LogRow} */ row) => {
    const { roll, pinned = false } = row, entry = button("", () => ask("recall", { roll }), { title: diceSource(row), value: `${roll}` });
    entry.append(...describeRoll(row));
    return h("li", {}, entry, button(pinned ? "★" : "☆", () => ask("pin-roll", { roll }), { className: "dd-pin", ariaLabel: say("pin", { number: roll }), ariaPressed: `${pinned}` }));
  };
  const mark = () => {
    for (const { firstElementChild } of list.children) assign(firstElementChild, { ariaCurrent: `${+/** @type {HTMLButtonElement} */ (firstElementChild).value === selected}` });
  };
  return {
    node,
    select({ selected: roll, table }) {
      selected = roll;
      assign(again, { ariaDisabled: !roll, hidden: !!table });
      mark();
    },
    showText: copy.show,
    show: (rolls) => keepFocus(list, () => {
      // A roll keeps its node at any position: most of a long history stays the same.
      const before = nodes;
      nodes = new Map(rolls.map((roll) => {
        const key = JSON.stringify(roll);
        return [key, before.get(key) ?? createEntry(roll)];
      }));
      for (const [key, entry] of before) if (!nodes.has(key)) entry.remove();
      [...nodes.values()].forEach((entry, index) => list.children[index] === entry || list.insertBefore(entry, list.children[index] ?? null));
      resetStop();
      mark();
      assign(node, { hidden: !rolls.length });
      askText();
    }),
  };
};
