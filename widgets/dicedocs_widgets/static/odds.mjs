// The chart of odds, with what chooses and compares them.

/** @import { OddsChart } from "./wire" */
import { oddsBars } from "./bars.mjs";
import { comparisonChart } from "./compare.mjs";
import { assign, button, h, update } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {OddsChart} */
export const oddsChart = (id, ask, { facts, shows }) => {
  const options = (/** @type {Record<string, string>} */ labels) => Object.entries(labels).map(([value, label]) => h("option", { value }, label));
  const select = h("select", { id, onchange: () => ask("odds-of", { fact: select.value }) }, ...options(facts));
  const show = h("select", { ariaLabel: say("show"), onchange: () => ask("odds-show", { name: show.value }) }, ...options(shows));
  const progress = h("progress", { ariaLabel: say("counted") }), bars = oddsBars();
  const pin = button(say("compare"), () => ask("pin"), { title: say("compare_help") });
  const files = [button(say("save_csv"), () => ask("csv")), button(say("save_picture"), () => ask("picture"))];
  const comparison = comparisonChart((item) => ask("unpin", { item }));
  const deviation = h("p"), more = h("details", { className: "dd-odds-more" }, h("summary", {}, say("compare_save")), deviation, h("div", { className: "dd-odds-do" }, pin, ...files));
  const head = h("div", {}, h("label", { htmlFor: id }, say("odds_of")), select, show, ...bars.figures);
  const node = h("div", { className: "dd-odds" }, head, progress, ...bars.nodes, comparison.node, more);
  return { node, show(odds, compared) {
    node.hidden = !odds;
    comparison.show(compared, odds?.label ?? "");
    bars.show(odds, !compared);
    if (!odds) return;
    node.classList.toggle("dd-stale", odds.stale);
    for (const option of select.options) option.hidden = !odds.choices.includes(option.value);
    update(select, odds.fact, "value");
    update(show, odds.show, "value");
    show.hidden = !odds.numeric;
    update(deviation, odds.deviation && say("deviation", { number: odds.deviation }));
    for (const one of files) assign(one, { ariaDisabled: odds.state !== "done" && odds.state !== "estimated" });
    assign(progress, { hidden: odds.state !== "counting", value: odds.progress });
  } };
};
