// The odds of several settings side by side.

/** @import { ComparisonChart } from "./wire" */
import { assign, button, h, syncList, update } from "./elements.mjs";
import { describeMoments } from "./moments.mjs";
import { say } from "./texts.mjs";

/** @type {ComparisonChart} */
export const comparisonChart = (unpin) => {
  const key = h("ol", { role: "list", className: "dd-key" }), note = h("p"), list = h("ol", { role: "list", className: "dd-compare" });
  const node = h("div", { className: "dd-comparison" }, key, note, list);
  const syncKey = syncList(key, (index) => {
    const label = h("b"), moments = h("span"), remove = button("×", () => unpin?.(pin));
    let pin = index;
    return { node: h("li", {}, h("i", { className: `dd-fill${index}` }), label, moments, remove), show(series) {
      pin = series.pin;
      update(label, series.label);
      update(moments, describeMoments(series, pin < 0 ? say("present") : ""));
      assign(remove, { ariaLabel: say("remove", { name: series.label }), hidden: pin < 0 || !unpin });
    } };
  });
  let shown = "";
  return { node, show(comparison, subject) {
    node.hidden = !comparison;
    if (!comparison || shown === (shown = JSON.stringify(comparison))) return;
    const { series, bars, here } = comparison, highest = Math.max(...bars.flatMap(([, all]) => all));
    syncKey(series);
    update(note, comparison.note);
    assign(list, { ariaLabel: say("odds_of_what", { subject }) });
    list.replaceChildren(...bars.map(([text, all, percents], row) => h("li", { className: row === here ? "dd-here" : "" },
      h("span", {}, text, row === here ? h("span", { className: "dd-unseen" }, ` ${say("this_roll")}`) : ""),
      h("div", {}, ...all.map((p, index) => {
        const bar = h("i", { className: `dd-fill${index}` });
        bar.style.setProperty("--p", `${p / highest}`);
        return h("div", { title: say("labelled", { label: series[index].label, text: percents[index] }) }, bar, h("span", {}, percents[index]));
      })))));
  } };
};
