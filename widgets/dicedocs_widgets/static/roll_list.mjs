// A list of rolls, the pinned ones first, then newest first. A press on a roll chooses it; one
// that would change characters can be applied, and one that has changed them taken back.

/** @import { LogRow, RollList } from "./wire" */
import { assign, button, h, hasFocus, keepFocus, update } from "./elements.mjs";
import { describeRoll, diceSource } from "./log_row.mjs";
import { rovingFocus } from "./roving_focus.mjs";
import { say } from "./texts.mjs";

/** @param {Element} entry */
const rollOf = (entry) => +/** @type {HTMLButtonElement} */ (entry.firstElementChild).value;

/** @type {RollList} */
export const rollList = (ask, describeMore) => {
  const node = h("ol", { role: "list" }), leftOut = h("small"), resetStop = rovingFocus(node), all = button(say("apply_all"), () => ask("apply"), { hidden: true });
  /** @type {Map<string, HTMLElement>} */
  let nodes = new Map();
  let chosen = 0;
  const createEntry = (/** @type {LogRow} */ row) => {
    const { roll, effect, waits } = row, [text, press, properties] = describeMore(row), key = effect ? "take_back" : "apply";
    const entry = button("", () => ask("recall", { roll }), { title: diceSource(row), value: `${roll}` }), node = h("li", {}, entry);
    entry.append(...describeRoll(row));
    if (effect || waits) node.append(button(say(key), () => ask(effect ? "take-back" : "apply", { roll }), { className: "dd-apply", ariaLabel: say(`${key}_roll`, { number: roll }) }));
    node.append(button(text, press, properties));
    return node;
  };
  const mark = () => {
    for (const one of node.children) assign(one.firstElementChild, { ariaCurrent: `${rollOf(one) === chosen}` });
  };
  return {
    nodes: [node, leftOut],
    all,
    mark: (roll) => ((chosen = roll), mark()),
    show: ({ history: rolls = [], left_out: text = "" }) => keepFocus(node, () => {
      update(leftOut, text);
      const focused = node.querySelector(":focus"), row = focused?.parentElement, fromAll = hasFocus(all);
      // A roll keeps its node at any position: most of a long history stays the same.
      const before = nodes, newest = node.firstElementChild && rolls.length && rollOf(node.firstElementChild) < rolls[0].roll;
      nodes = new Map(rolls.map((roll) => {
        const key = JSON.stringify(roll);
        return [key, before.get(key) ?? createEntry(roll)];
      }));
      for (const [key, entry] of before) if (!nodes.has(key)) entry.remove();
      [...nodes.values()].forEach((entry, index) => node.children[index] === entry || node.insertBefore(entry, node.children[index] ?? null));
      if (newest) node.scrollTop = 0;
      all.hidden = !rolls.some(({ waits }) => waits);
      // A roll that has changed is a new node, in which the same button has the focus.
      const same = row && [...node.children].find((one) => rollOf(one) === rollOf(row));
      const next = same ? same.children[[...row.children].indexOf(focused)] : fromAll && all.hidden && node.querySelector("button");
      if (next) /** @type {HTMLElement} */ (next).focus();
      resetStop();
      mark();
    }),
  };
};
