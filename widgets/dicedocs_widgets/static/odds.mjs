// The chart of odds.

/** @import { OddsChart } from "./wire" */
import { comparisonChart } from "./compare.mjs";
import { assign, button, h, syncList, update } from "./elements.mjs";
import { say } from "./texts.mjs";

const MAX_ROWS = 9; // more bars than these stand side by side
const MAX_NAMES = 11, MAX_LETTERS = 40; // limits for the names below bars that stand side by side

/** @type {OddsChart} */
export const oddsChart = (id, ask, facts) => {
  const select = h("select", { id, onchange: () => ask("odds-of", { fact: select.value }) }, ...facts.map(({ name, label }) => h("option", { value: name }, label)));
  const mean = h("span"), deviation = h("span"), where = h("b"), note = h("p"), parts = h("p"), progress = h("progress", { ariaLabel: say("counted") }), list = h("ol", { role: "list" });
  const SHOWS = { exactly: say("exactly"), "at least": say("at_least"), "at most": say("at_most") };
  const show = h("select", { ariaLabel: say("show"), onchange: () => ask("odds-show", { name: show.value }) }, ...Object.entries(SHOWS).map(([value, text]) => h("option", { value }, text)));
  const head = h("div", {}, h("label", { htmlFor: id }, say("odds_of")), select, show, mean, deviation, where);
  const pin = button(say("compare"), () => ask("pin"), { title: say("compare_help") });
  const files = [button(say("save_csv"), () => ask("csv")), button(say("save_picture"), () => ask("picture"))];
  const comparison = comparisonChart((item) => ask("unpin", { item }));
  const node = h("div", { className: "dd-odds" }, head, progress, note, parts, list, comparison.node, h("div", { className: "dd-odds-do" }, pin, ...files));
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
  return { node, show(odds, compared) {
    node.hidden = !odds;
    comparison.show(compared, odds?.label ?? "");
    for (const one of [mean, deviation, note, parts, list]) one.hidden = !!compared;
    if (!odds || shown === (shown = JSON.stringify(odds))) return;
    const { fact, label, state, message, here, stale, bars, bands } = odds, count = bars.length;
    const highest = Math.max(...bars.map(([, p]) => p)), longest = Math.max(...bars.map(([text]) => text.length));
    const interval = Math.ceil(count / Math.min(MAX_NAMES, Math.max(1, Math.floor(MAX_LETTERS / (longest + 1)))));
    update(select, fact, "value");
    update(mean, odds.mean && say("mean", { number: odds.mean }));
    update(deviation, odds.deviation && say("deviation", { number: odds.deviation }));
    update(show, odds.show, "value");
    show.hidden = !odds.numeric;
    for (const one of files) assign(one, { ariaDisabled: state !== "done" && state !== "estimated" });
    update(where, odds.where);
    update(note, message);
    update(parts, bands.map(([name, , , percent]) => `${name} ${percent}`).join(", "));
    assign(progress, { hidden: state !== "counting", value: odds.progress });
    assign(list, { ariaLabel: say("odds_of_what", { subject: label }) });
    list.classList.toggle("dd-columns", count > MAX_ROWS);
    list.classList.toggle("dd-stale", stale);
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
