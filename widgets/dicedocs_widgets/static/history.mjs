// The history of a panel as a log. A press on a roll shows it.

/** @import { HistoryList } from "./wire" */
import { copyLog } from "./copy_log.mjs";
import { assign, button, h } from "./elements.mjs";
import { rollList } from "./roll_list.mjs";
import { say } from "./texts.mjs";

/** @type {HistoryList} */
export const historyList = (view, ask, clear, open, formats) => {
  const list = rollList(ask, ({ roll, pinned = false }) =>
    [pinned ? "★" : "☆", () => ask("pin-roll", { roll }), { className: "dd-pin", ariaLabel: say("pin", { number: roll }), ariaPressed: `${pinned}` }]);
  const again = button(say("again"), () => ask("replay", { roll: selected })), log = copyLog(view, ask, formats);
  const node = h("details", { open, hidden: true, className: "dd-past" }, h("summary", {}, say("history")), list.all, ...list.nodes, h("div", { className: "dd-do" }, again, clear), log.node);
  let selected = 0;
  return {
    node,
    select({ selected: roll, game }) {
      selected = roll;
      assign(again, { ariaDisabled: !roll, hidden: !!game });
      list.mark(roll);
    },
    showText: log.showText,
    show(answer) {
      list.show(answer);
      assign(node, { hidden: !answer.history?.length });
      log.askText();
    },
  };
};
