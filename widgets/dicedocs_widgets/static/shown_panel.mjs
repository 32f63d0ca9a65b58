// A panel that is only shown: what was chosen, the last roll with its odds, the log, and the outcome as code.

/** @import { Field, Form, Model, Parts, State } from "./wire" */
import { oddsBars } from "./bars.mjs";
import { comparisonChart } from "./compare.mjs";
import { drawDie, useShapes } from "./dice.mjs";
import { assign, h, update } from "./elements.mjs";
import { exported } from "./export.mjs";
import { showGauges } from "./gauges.mjs";
import { describeRoll, diceSource } from "./log_row.mjs";
import { lastRoll } from "./result.mjs";
import { say, useTexts } from "./texts.mjs";

// Returns what was chosen in a field, as text; empty if it was left out.
/** @type {(field: Field, value: string | Parts | undefined) => string} */
const written = ({ control: { kind, choices = [], names = choices, columns = [] } }, value = "") => {
  if (typeof value === "string") return kind === "truth" ? (value === "true" ? "✓" : "") : names[choices.indexOf(value)] ?? value;
  const item = (/** @type {any} */ part) => {
    if (kind === "dice") return say("die", { sides: part });
    if (kind === "resources") return `${part.name} ${part.value}`;
    const [first, ...rest] = columns.map((field) => [field.label, written(field, part[field.name])]).filter(([, text]) => text);
    return first ? say("labelled", { label: first[1], text: rest.map((one) => one.join(" ")).join(", ") }) : `${part}`;
  };
  return value.map(item).join(columns.length ? "\n" : kind === "resources" ? ", " : " ");
};

/** @param {{ model: Model, el: HTMLElement }} context @param {Form} form @param {string} notice the key of its text */
export const shownPanel = ({ model, el }, form, notice) => {
  const state = () => model.get("_state"), work = () => useTexts(form.texts, state().words);
  useShapes(form.shapes);
  work();
  const result = lastRoll(), bars = oddsBars(), comparison = comparisonChart(), subject = h("b"), gauges = h("div", { className: "dd-gauges" });
  const game = h("div", { className: "dd-game" }), chosen = h("dl", { className: "dd-chosen" }), pane = h("div", { className: "dd-pane" }, game, chosen);
  const odds = h("div", { className: "dd-odds" }, h("div", {}, subject, ...bars.figures), ...bars.nodes, comparison.node);
  const list = h("ol", { role: "list", tabIndex: 0, ariaLabel: say("history") }), history = h("details", { open: true, className: "dd-past" }, h("summary", {}, say("history")), list);
  const exports = exported(`dd${Math.random().toString(36).slice(2)}`, state);
  const title = h("b", {}, model.get("description") || form.title);
  const root = h("div", { className: `dd-panel dd-shown${notice === "waiting" ? "" : " dd-dead"}`, role: "group", lang: form.language, ariaLabel: model.get("description") || say("panel", { name: form.id.replace("/", ": ") }) },
    h("div", {}, title, form.help), h("p", { className: "dd-notice", role: "alert" }, say(notice)),
    h("div", { className: "dd-body" }, pane, h("div", {}, result.head, ...result.nodes, odds, history)), exports.node);

  const draw = () => {
    work();
    const { texts, parts, outcome, odds: counted, comparison: compared, log, game: played, label } = state();
    // What adds nothing, or is rarely changed and was not.
    const telling = form.fields.filter(({ name, default: usual, advanced }) => texts[name] !== usual || !(advanced || usual === "0"));
    const values = telling.map((field) => [field.label, written(field, texts[field.name] ?? parts[field.name])]);
    chosen.replaceChildren(...[[say("label"), label], ...values].filter(([, text]) => text).map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text))));
    game.hidden = !played;
    pane.hidden = !played && !chosen.children.length;
    if (played) {
      showGauges(gauges, played.gauges);
      game.replaceChildren(h("b", {}, played.note), h("div", { className: "dd-thrown", role: "list", ariaLabel: say("dice") },
        ...played.dice.map(({ sides, face, state }) => assign(drawDie([sides, face, state]), { role: "listitem" }))), gauges);
    }
    result.show(outcome);
    for (const one of result.nodes[1].querySelectorAll("button")) one.disabled = true;
    odds.hidden = !counted;
    update(subject, counted ? say("odds_of_what", { subject: counted.label }) : "");
    bars.show(counted, !compared);
    comparison.show(compared, counted?.label ?? "");
    history.hidden = !log.length;
    list.replaceChildren(...log.map((row) => h("li", { title: diceSource(row) }, ...describeRoll(row))));
    exports.show();
    root.style.setProperty("--accent", model.get("_accent") ?? "");
  };
  model.on("change:_state", draw);
  root.addEventListener("click", work, true);
  draw();
  el.classList.add("dd-view");
  el.append(root);
  return () => (model.off("change:_state", draw), root.remove());
};
