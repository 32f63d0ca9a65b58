// A table: tabs for its panels, and the log of them all, whose rolls have notes and can be struck out.

/** @import { Correction, Evening, People } from "./wire" */
import { labelled } from "./controls.mjs";
import { copyLog } from "./copy_log.mjs";
import { assign, button, h, syncList, update } from "./elements.mjs";
import { exported } from "./export.mjs";
import { follow } from "./follow.mjs";
import { handleKeys } from "./keys.mjs";
import { messenger } from "./messenger.mjs";
import { rollList } from "./roll_list.mjs";
import { rovingFocus } from "./roving_focus.mjs";
import { say, useTexts } from "./texts.mjs";
import { turnOrder } from "./turn_order.mjs";

// Tabs that show one panel at a time.
/** @param {HTMLElement[]} seats @param {string[]} names */
const seatTabs = (seats, names) => {
  const tabs = seats.map((seat, index) => {
    assign(seat, { role: "tabpanel", ariaLabel: names[index] });
    return button(names[index], () => show(index), { role: "tab", onfocus: () => show(index) });
  });
  const show = (/** @type {number} */ chosen) => seats.forEach((seat, index) => {
    seat.hidden = index !== chosen;
    assign(tabs[index], { ariaSelected: `${index === chosen}` });
  });
  const node = h("div", { className: "dd-tabs", role: "tablist", ariaLabel: say("panels") }, ...tabs);
  rovingFocus(node)();
  show(0);
  return { node, show };
};

// What of a roll can be corrected.
/** @type {Correction} */
const correction = (view, ask) => {
  let number = 0;
  const field = (/** @type {string} */ key, /** @type {HTMLElement} */ control) => h("div", { className: "dd-field" }, h("label", { htmlFor: control.id }, say(key)), control);
  const faces = h("input", { id: `${view}-.correct-faces`, autocomplete: "off" }), target = h("select", { id: `${view}-.correct-target` });
  const aimed = field("target", target), title = h("summary");
  const press = button(say("correct"), () => ask("correct", { roll: number, faces: faces.value === faces.defaultValue ? undefined : faces.value, name: aimed.hidden ? "" : target.value }));
  faces.onkeydown = ({ key }) => void (key === "Enter" && press.click());
  const node = h("details", { className: "dd-correct" }, title, field("faces", faces), aimed, h("div", { className: "dd-do" }, press));
  return { node, show(roll, can) {
    node.hidden = !can;
    if (!can) return;
    update(title, say("correct_roll", { number: roll }));
    if (number !== roll || faces.value === faces.defaultValue) faces.value = faces.defaultValue = can.faces;
    if (number !== roll || target.value !== can.target) {
      target.replaceChildren(...can.targets.map((value) => h("option", { value }, value)));
      assign(target, { value: can.target });
    }
    aimed.hidden = !can.targets.length;
    number = roll;
  } };
};

// The characters, whose values go up and down.
/** @type {People} */
const people = (view, { change, ask, isChanged }) => {
  const node = h("div", { className: "dd-people" });
  const sync = syncList(node, (person) => {
    const title = h("summary"), values = h("div", { className: "dd-fields" });
    const syncValues = syncList(values, (index) => {
      let key = "";
      const field = labelled({ name: "", label: "", help: "", required: false, default: "", control: { kind: "whole" } }, `${view}-.value${person}-${index}`, (text) => {
        change(`texts.${key}`, "texts", key, text);
        ask("set"); // at once: each press is undone for itself, however fast they come
      });
      const [label, control] = /** @type {HTMLElement[]} */ ([...field.node.children]), steps = control.querySelectorAll("button");
      return { node: field.node, show([name, number]) {
        key = `${person}.${name}`;
        update(label, name);
        ["one_less", "one_more"].forEach((text, at) => assign(steps[at], { ariaLabel: say(text, { label: `${title.textContent}, ${name}` }) }));
        if (!isChanged(`texts.${key}`)) field.show(`${number}`, /** @type {any} */ ({}));
      } };
    });
    return { node: h("details", { open: true }, title, values), show: ([name, own]) => (update(title, name), syncValues(own)) };
  });
  return { node, show: (all) => ((node.hidden = !all.length), sync(all)) };
};

/** @type {Evening} */
export const evening = ({ model, el }, front, form, seats) => {
  const view = `dd${Math.random().toString(36).slice(2)}`;
  const work = () => useTexts(form.texts, model.get("_state").words);
  work();
  const notice = h("p", { role: "alert", className: "dd-notice" }), waiting = say("waiting"), dead = () => front?.comm_live === false;
  const messages = messenger(model, view, {
    dead,
    sending: (_rolling, long) => void (long && update(notice, waiting)),
    answering: (_rolling, failed) => (update(notice, failed), draw()),
  });
  const { ask, receive } = messages, cast = people(view, messages);
  const exports = exported(view, () => model.get("_state")), log = copyLog(view, ask, form.formats);
  let pressed = false; // a roll, which its panel is to show
  const tabs = seatTabs(seats, model.get("_state").seats ?? []), corrections = correction(view, ask);
  const choose = (/** @type {Parameters<typeof ask>} */ ...asked) => ((pressed ||= asked[0] === "recall"), ask(...asked));
  const list = rollList(choose, ({ roll, struck = false }) =>
    [struck ? "↺" : "✕", () => ask("strike", { roll }), { className: "dd-pin", ariaPressed: `${struck}`, ariaLabel: say("strike_roll", { number: roll }), title: say("strike") }]);
  const turns = turnOrder(view, ask), order = turns.node;
  const noteLabel = h("label", { htmlFor: `${view}-.note` });
  const note = h("input", { id: `${view}-.note`, autocomplete: "off", placeholder: say("note_example"), onchange: () => ask("note", { roll: noted, note: note.value }) });
  const undo = button(say("undo"), () => ask("undo")), redo = button(say("redo"), () => ask("redo"));
  const noteField = h("div", { className: "dd-field" }, noteLabel, note);
  const past = h("div", { className: "dd-past" }, h("div", { className: "dd-do" }, h("b", {}, say("log")), list.all), ...list.nodes, corrections.node, log.node);
  const title = h("b"), root = h("div", { className: "dd-panel dd-evening-log", role: "group", tabIndex: -1, lang: form.language },
    h("div", { className: "dd-do" }, title, undo, redo), notice, h("div", { className: "dd-shared" }, noteField, order, past, cast.node), exports.node);
  const body = h("div", { className: "dd-together" }, h("div", {}, h("div", { className: "dd-panel dd-tab-bar" }, tabs.node), ...seats), root);
  // Its panels leave undo and redo to the table.
  handleKeys(body, { enter() {}, undo, redo });
  let noted = 0;

  const draw = () => {
    work();
    const state = model.get("_state"), { outcome } = state;
    noteField.hidden = !outcome;
    if (noted !== outcome?.roll || note.value === note.defaultValue) note.value = note.defaultValue = state.note ?? "";
    noted = outcome?.roll ?? 0;
    update(noteLabel, say("note_on", { number: noted }));
    list.mark(noted);
    corrections.show(noted, state.correct);
    if (state.named) update(notice, state.named);
    cast.show(state.people ?? []);
    turns.show(state.order ?? { round: 0, turns: [] });
    exports.show();
    const name = model.get("description") || form.title;
    update(title, name);
    root.ariaLabel = say("panel", { name });
    for (const one of root.querySelectorAll("button, input, select")) assign(one, { disabled: !!model.get("disabled") });
    assign(undo, { ariaDisabled: !state.can.undo });
    assign(redo, { ariaDisabled: !state.can.redo });
    if (!dead()) return;
    root.classList.add("dd-dead");
    update(notice, say(state.kept ? "dead_kept" : "dead"));
  };
  const remove = follow({ model, el }, front, body, { work, draw, hear(answer) {
    const { seat = -1 } = model.get("_state");
    if (pressed && seat >= 0) tabs.show(seat);
    pressed = false;
    if (answer.history) (list.show(answer), log.askText());
    if (answer.log !== undefined) log.showText(answer.log);
    receive(answer);
  } });
  el.classList.add("dd-evening");
  ask("history");
  return remove;
};
