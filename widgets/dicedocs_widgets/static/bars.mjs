// The bars of odds, with what else is said of them.

/** @import { OddsBars } from "./wire" */
import { assign, h, syncList, update } from "./elements.mjs";
import { say } from "./texts.mjs";

const MAX_ROWS = 9; // more bars than these stand side by side
const MAX_NAMES = 11, MAX_LETTERS = 40; // limits for the names below bars that stand side by side

/** @type {OddsBars} */
export const oddsBars = () => {
  const moments = h("span"), where = h("b"), note = h("p"), parts = h("p"), list = h("ol", { role: "list" });
  const sync = syncList(list, () => {
    const name = h("span"), bar = h("i"), value = h("span"), mark = h("span", { className: "dd-unseen" });
    const node = h("li", {}, name, bar, value, mark);
    return { node, show({ text, p, percent, className }) {
      assign(node, { className, title: say("labelled", { label: text, text: percent }) });
      bar.style.setProperty("--p", p);
      update(name, text);
      update(value, percent);
      update(mark, className.startsWith("dd-here") ? say("this_roll") : "");
    } };
  });
  let shown = "";
  return { figures: [moments, where], nodes: [note, parts, list], show(odds, visible) {
    for (const one of [moments, note, parts, list]) one.hidden = !visible;
    if (!odds || shown === (shown = JSON.stringify(odds))) return;
    const { label, message, here, stale, bars, bands } = odds, count = bars.length;
    const highest = Math.max(...bars.map(([, p]) => p)), longest = Math.max(...bars.map(([text]) => text.length));
    const interval = Math.ceil(count / Math.min(MAX_NAMES, Math.max(1, Math.floor(MAX_LETTERS / (longest + 1)))));
    update(moments, odds.mean && say("mean", { number: odds.mean }));
    update(where, stale ? say("stale") : odds.where);
    update(note, message);
    update(parts, bands.map(([name, , , percent]) => `${name} ${percent}`).join(", "));
    assign(list, { ariaLabel: say("odds_of_what", { subject: label }) });
    list.classList.toggle("dd-columns", count > MAX_ROWS);
    // Names are shown at equal intervals, counted from the bar of the result, whose name is always shown. Without a
    // mean, the last bar may stand for all other values; its name is shown if there is room.
    const last = odds.mean ? Infinity : count - 1;
    const nameless = (/** @type {number} */ index) =>
      index === last ? here >= 0 && last - here < interval : (index - Math.max(0, here)) % interval || last - index < interval;
    // Every other band is hollow, so that neighbours differ without colours too.
    const hollow = (/** @type {number} */ index) =>
      (bands.length - bands.findIndex(([, start, stop]) => start <= index && index < stop)) % 2 ? "" : " dd-hollow";
    sync(bars.map(([text, p, percent], index) => {
      const className = (index === here ? "dd-here" : nameless(index) ? "dd-mute" : "") + (bands.length ? hollow(index) : "");
      return { text, p: `${p / highest}`, percent, className };
    }));
  } };
};
