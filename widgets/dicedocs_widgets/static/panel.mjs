// The front end of all panels: it shows the state of a session and sends what a player does. It contains no rules of
// games, and no texts: those come with the form, in the language of the session. The types and the protocol are in
// wire.d.ts. Text is set as text, except for what Python has escaped: the drawings of dice and the working of an outcome.
//
// In a notebook, Python sends this module, joined with those that it imports, within a size limit that is tested. A page
// may also import it as it is.

/** @import { Render } from "./wire" */
import { characterChoice } from "./characters.mjs";
import { drawDie, useShapes } from "./dice.mjs";
import { addStyles, assign, button, focusMain, h, hasFocus, update } from "./elements.mjs";
import { errorMessage } from "./errors.mjs";
import { evening } from "./evening.mjs";
import { exported } from "./export.mjs";
import { panelFields } from "./fields.mjs";
import { saveFile } from "./files.mjs";
import { follow } from "./follow.mjs";
import { historyList } from "./history.mjs";
import { handleKeys } from "./keys.mjs";
import { messenger } from "./messenger.mjs";
import { oddsChart } from "./odds.mjs";
import { lastRoll } from "./result.mjs";
import { sound } from "./sound.mjs";
import { ownGame } from "./own_game.mjs";
import { say, useTexts } from "./texts.mjs";
import { diceTray } from "./tray.mjs";

const MOST_DICE = 9; // that are drawn beside Roll

// Shows a roll on one line, the answer first.
/** @param {HTMLElement} node @param {import("./wire").State["outcome"]} outcome @param {string} failed why nothing was rolled */
const showLine = (node, outcome, failed) => {
  const text = failed || (outcome ? [outcome.headline, say("roll_number", { number: outcome.roll }), outcome.label].filter(Boolean).join(" · ") : "");
  if (node.title === (node.title = `${text} ${outcome?.faces}`)) return;
  node.replaceChildren(text, " ", ...(outcome?.dice ?? []).slice(0, failed ? 0 : MOST_DICE).map((die) => drawDie(die)));
};

/** @type {Render} */
export const render = ({ model, el }, css, hash = "dicedocs", front, ownForm, seats) => {
  if (css) addStyles(el, hash, css);
  const form = ownForm ?? model.get("_form"), { parts, seated } = model.get("_state");
  if (seats) return evening({ model, el }, front, form, seats);
  // Part of the ids too, since a page may show a panel twice.
  const view = `dd${Math.random().toString(36).slice(2)}`;
  const work = () => useTexts(form.texts, model.get("_state").words);
  useShapes(form.shapes);
  work();

  const notice = h("p", { role: "alert", className: "dd-notice" });
  const waiting = say("waiting");
  const dead = () => front?.comm_live === false;
  const messages = messenger(model, view, {
    dead,
    sending(rolling, long) {
      result.tumble(rolling);
      if (long) update(notice, waiting);
    },
    answering(rolling, failed) {
      update(notice, failed);
      result.tumble(false);
      draw();
      if (!rolling) return;
      noise.play();
      panelError.speak(true);
      fields.speakErrors();
      /** @type {HTMLElement | null} */ (body.querySelector(".dice-way"))?.focus();
      const wrong = model.get("_state").failed && pane.querySelector(".dd-field > .dd-wrong:not([hidden])");
      if (wrong) /** @type {HTMLElement | null} */ (wrong.parentElement?.querySelector("input, select, button"))?.focus();
    },
  });
  const { ask } = messages;

  const panelError = errorMessage(`${view}-wrong`), fields = panelFields(form, parts, view, messages);
  const result = lastRoll(), odds = oddsChart(`${view}-.odds`, ask, form), game = ownGame((target) => ask("press", target));
  const characters = characterChoice(view, ask), tray = diceTray(form.tray, ask);
  // In a game's own panel Enter makes the play to which its field belongs.
  const enter = () => {
    const { game } = model.get("_state"), at = fields.own.findIndex(({ node }) => hasFocus(node));
    const play = game?.plays.find(({ id, can }) => can && id === form.fields[at]?.play);
    if (!game) ask("roll");
    else if (play) ask("press", { play: play.id });
  };
  // Enter in a box presses the first submit button; submitting the form would cost more than this handler.
  const roll = h("button", { className: "dd-main", onclick: () => (enter(), false) }, say("roll")), undo = button(say("undo"), () => ask("undo")), redo = button(say("redo"), () => ask("redo"));
  // Where the result is far below Roll; it is spoken as the status.
  const locked = h("span", { className: "dd-locked" }), latest = h("b", { className: "dd-latest", ariaHidden: "true" });
  const then = button("", () => ask("apply", { roll: model.get("_state").selected }), { className: "dd-then" });
  const restart = button(say("restart"), () => ask("restart")), clear = button(say("clear"), () => (ask("clear"), focusMain(root)));
  // The log of a table has it all.
  const history = historyList(view, ask, clear, !seated, form.formats);
  const exports = exported(view, () => model.get("_state"));

  const folded = [...fields.advanced, ...fields.common], noise = sound(`${view}-.sound`);
  const moreTitle = h("summary"), more = h("details", { className: "dd-more" }, moreTitle, h("div", { className: "dd-fields" }, ...folded.map((one) => one.node), noise.node), h("p", { className: "dd-keys" }, say("keys")));

  const byHand = h("details", { className: "dd-hand" }, h("summary", {}, say("by_hand")), fields.faces.node);

  const pane = h("form", { className: "dd-pane" }, game.node, tray.node, characters.node,
    h("div", { className: "dd-fields" }, ...fields.own.filter((one) => !fields.advanced.includes(one)).map((one) => one.node)), ...panelError.nodes,
    h("div", { className: "dd-do" }, roll, locked, latest, then, undo, redo, restart), byHand, more);
  // At a table they are folded away, so that Roll is in view.
  const oddsTitle = h("summary"), chart = seated ? h("details", { className: "dd-odds-more" }, oddsTitle, odds.node) : odds.node;
  const body = h("div", { className: "dd-body" }, pane, h("div", {}, result.head, ...result.nodes, chart, history.node));
  // A press on what is not a control keeps the focus, and so the keys, in the panel.
  const title = h("b");
  const root = h("div", { className: "dd-panel", role: "group", tabIndex: -1, lang: form.language },
    h("div", {}, title, form.help), notice, body, exports.node);
  handleKeys(root, { enter, undo, redo });
  body.onclick = ({ target }) => {
    const way = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (target).closest(".dice-way"));
    if (way) ask("answer", { item: +(way.dataset.diceWay ?? "") });
  };

  const draw = () => {
    work();
    const state = model.get("_state"), { can } = state;
    for (const one of [...fields.own, ...fields.common, fields.faces, game, characters, tray]) one.show(state);
    panelError.show(state.error);
    // What is folded away and wrong would prevent a roll without a trace.
    for (const fold of [more, byHand]) fold.open ||= !!fold.querySelector("[aria-invalid=true]");
    result.show(state.outcome, state.failed);
    showLine(latest, state.outcome, state.failed);
    assign(latest, { className: `dd-latest ${state.failed ? "dd-failed" : `dd-tone-${state.outcome?.verdict[0] ?? ""}`}` });
    update(locked, state.lock ? say("locked") : "");
    update(moreTitle, state.set.length ? say("labelled", { label: say("more"), text: state.set.join(" · ") }) : say("more"));
    history.select(state);
    odds.show(state.odds, state.comparison);
    if (seated) chart.hidden = !state.odds || form.id === "dice/roll";
    update(oddsTitle, state.odds ? say("odds_of_what", { subject: state.odds.label }) : "");
    root.classList.toggle("dd-seated", !!state.seated);
    undo.hidden = redo.hidden = !!state.seated;
    exports.show();
    roll.hidden = !!state.game;
    restart.hidden = !state.game;
    then.hidden = !state.then?.text;
    update(then, state.then?.can ? say("apply_text", { text: state.then.text }) : state.then?.text);
    assign(then, { ariaDisabled: !state.then?.can });
    assign(undo, { ariaDisabled: !can.undo });
    assign(redo, { ariaDisabled: !can.redo });
    assign(clear, { ariaDisabled: !can.clear });
    drawStyle();
    if (!dead()) return;
    root.classList.add("dd-dead");
    update(notice, say(state.kept ? "dead_kept" : "dead"));
    for (const one of body.querySelectorAll("button")) one.ariaDisabled = "true";
  };
  // What every widget has.
  const drawStyle = () => {
    const description = model.get("description"), disabled = !!model.get("disabled");
    update(title, description || form.title);
    root.ariaLabel = description || say("panel", { name: form.id.replace("/", ": ") });
    root.style.setProperty("--accent", model.get("_accent") ?? "");
    for (const one of body.querySelectorAll("button, input, select")) assign(one, { disabled });
  };
  const remove = follow({ model, el }, front, root, { work, draw, hear(answer) {
    if (answer.history) history.show(answer);
    if (answer.file && view in answer.for) saveFile(answer.file);
    if (answer.log !== undefined) history.showText(answer.log);
    messages.receive(answer);
  } });
  ask("history");
  return remove;
};
