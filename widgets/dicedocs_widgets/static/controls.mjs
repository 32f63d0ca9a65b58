// The controls of fields, one for each kind of parameter.

/** @import { CreateControl, ErrorMessage, LabelledControl, State } from "./wire" */
import { usualSides } from "./dice.mjs";
import { diceButtons } from "./dice_buttons.mjs";
import { editableList } from "./editable_list.mjs";
import { assign, button, h, keepFocus, update } from "./elements.mjs";
import { errorMessage } from "./errors.mjs";
import { KEY_STEPS, rovingFocus } from "./roving_focus.mjs";
import { say } from "./texts.mjs";

/** @param {string} label @param {HTMLElement[]} pieces */
const insertGroup = (label, pieces) => h("div", { className: "dd-pieces", role: "group", ariaLabel: say("insert", { label }) }, ...pieces);

/** @type {Record<string, CreateControl>} */
const CONTROLS = {
  text({ label, control: { kind, choices = [] }, default: placeholder = "" }, id, change) {
    const input = h("input", { id, placeholder, autocomplete: "off", spellcheck: false, oninput: () => change(show(input.value)) });
    // A list has any of its words, another text one of them.
    const words = () => (kind === "list" ? input.value.split(/[\s,]+/) : [input.value]);
    const pieces = choices.map((word) => button(word, () => {
      const others = words().filter((one) => kind === "list" && one !== word);
      change(show([...others, words().includes(word) ? "" : word].join(" ").trim()));
    }));
    const show = (/** @type {string} */ text) => {
      update(input, text, "value");
      for (const one of pieces) assign(one, { ariaPressed: words().includes(one.textContent ?? "") });
      return text;
    };
    return { node: h("div", {}, input, ...(pieces.length ? [insertGroup(label, pieces)] : [])), input, show };
  },

  notation(field, id, change) {
    const { snippets = [], references = {} } = field.control, { node, input, show } = CONTROLS.text(field, id, change);
    if (!snippets.length && !Object.keys(references).length) return { node, input, show };
    const insert = (/** @type {string} */ text, from = input.selectionStart, to = input.selectionEnd) => {
      const afterValue = /[\w\])}%]\s*$/.test(input.value.slice(0, from)) && /^[\d[]/.test(text);
      input.setRangeText(afterValue ? ` + ${text}` : text, from, to, "end");
      input.focus();
      change(input.value);
      showReferences();
    };
    const pieces = snippets.map(([text, meaning, replaces]) => button(text, () => {
      const found = replaces && new RegExp(replaces, "i").exec(input.value);
      found ? insert(text, found.index, found.index + found[0].length) : insert(text);
    }, { title: meaning, ariaLabel: say("labelled", { label: text, text: meaning }) }));
    /** @type {string[]} */
    let names = [], seated = false;
    const group = insertGroup(field.label, []), makeRoving = rovingFocus(group);
    /** The start of a name that is being written before the caret. */
    const opened = () => {
      const before = input.value.slice(0, input.selectionStart), start = before.lastIndexOf("[");
      return start > before.lastIndexOf("]") ? start : -1;
    };
    const insertName = (/** @type {string} */ name) => {
      const start = opened();
      start < 0 ? insert(name) : insert(name, start);
    };
    let shown = "";
    const showReferences = () => {
      const start = opened(), typed = start < 0 ? "" : input.value.slice(start, input.selectionStart).toLowerCase();
      const fitting = names.filter((name) => name.toLowerCase().startsWith(typed)), now = JSON.stringify([start < 0, seated, fitting]);
      // A key press is several events.
      if (now === shown) return;
      shown = now;
      keepFocus(group, () => group.replaceChildren(...(start < 0 ? pieces : []), ...fitting.map((name) => button(name, () => insertName(name)))));
      group.hidden = seated && start < 0; // at a table only the names that are being written
      makeRoving();
    };
    input.addEventListener("input", showReferences);
    for (const event of ["keyup", "click"]) input.addEventListener(event, showReferences);
    return { node: h("div", {}, node, group), input, show(text, state) {
      show(text, state);
      seated = !!state.seated && !state.tray;
      names = Object.entries(references).flatMap(([name, pattern]) => (state.parts[name] ?? []).map((/** @type {any} */ row) => pattern.replace("{name}", row.name)));
      showReferences();
    } };
  },

  whole({ label, control: { low, high }, default: empty = "" }, id, change) {
    const { node, input, show } = CONTROLS.text({ label, control: {}, default: empty }, id, change);
    const stepBy = (/** @type {number} */ step) => {
      const number = parseInt(input.value || empty, 10), next = isNaN(number) ? (low ?? 0) : number + step;
      input.value = `${Math.max(low ?? -Infinity, Math.min(high ?? Infinity, next))}`;
      bound();
      change(input.value);
    };
    assign(input, { inputMode: "numeric", onkeydown: (/** @type {KeyboardEvent} */ { key }) => !/^Arrow(Up|Down)$/.test(key) || (stepBy(-KEY_STEPS[key]), false) });
    const less = button("−", () => stepBy(-1), { tabIndex: -1, ariaLabel: say("one_less", { label }) });
    const more = button("+", () => stepBy(1), { tabIndex: -1, ariaLabel: say("one_more", { label }) });
    const bound = () => {
      const number = parseInt(input.value || empty, 10);
      assign(less, { ariaDisabled: number <= (low ?? -Infinity) });
      assign(more, { ariaDisabled: number >= (high ?? Infinity) });
    };
    input.addEventListener("input", bound);
    assign(node, { className: "dd-count" }).prepend(less);
    node.append(more);
    return { node, input, show: (text, state) => (show(text, state), bound()) };
  },

  truth(_, id, change) {
    const node = h("input", { id, type: "checkbox", role: "switch", onchange: () => change(`${node.checked}`) });
    return { node, input: node, show: (text) => assign(node, { checked: text === "true" }) };
  },

  choice({ control: { choices = [], names = choices, optional } }, id, change) {
    const options = choices.map((value, index) => h("option", { value }, names[index]));
    if (optional) options.unshift(h("option", { value: "" }, say("none")));
    const node = h("select", { id, onchange: () => change(node.value) }, ...options);
    return { node, input: node, show: (text) => update(node, text, "value") };
  },

  dice({ label }, id, change) {
    /** @type {number[]} */
    let sizes;
    const edit = (/** @type {number[]} */ edited) => {
      change((sizes = edited));
      keepFocus(node, () => dice.show(sizes));
    };
    const dice = diceButtons((index) => edit(sizes.toSpliced(index, 1)), (sides) => [[sides, sides], say("remove", { name: say("die", { sides }) })]);
    const wrong = errorMessage(`${id}-any-wrong`);
    const add = (/** @type {string} */ text) => {
      const valid = /^\s*0*[1-9]\d{0,8}\s*$/.test(text);
      wrong.show(valid || !text.trim() ? null : { text: say("not_sides", { text }) });
      assign(input, { ariaInvalid: !valid && !!text.trim() });
      if (valid) edit([...sizes, +text]);
    };
    const usual = usualSides().map((sides) => button(say("die", { sides }), () => add(sides), { ariaLabel: say("add_die", { sides }) }));
    const input = h("input", { id: `${id}-any`, inputMode: "numeric" });
    input.setAttribute("aria-describedby", `${id}-any-wrong`);
    const addOther = button(say("add"), () => add(input.value), { ariaLabel: say("add_other", { label }) });
    input.onkeydown = ({ key }) => key !== "Enter" || (add(input.value), false);
    const other = h("details", {}, h("summary", {}, say("other")), h("div", {}, h("label", { htmlFor: input.id }, say("sides")), input, addOther), ...wrong.nodes);
    const usualGroup = h("div", {}, ...usual), node = h("div", {}, dice.node, h("div", {}, usualGroup, other));
    rovingFocus(usualGroup)();
    return { node, show: (value) => dice.show((sizes = value)) };
  },

  faces({ label, control: { sides = 6 } }, _, change) {
    /** @type {string[]} */
    let faces;
    const edit = (/** @type {string[]} */ edited) => (change((faces = edited)), dice.show(faces));
    // A press turns a die to its next face; one that does not matter, to 1.
    const turn = (/** @type {number} */ index) => edit(faces.with(index, `${((+faces[index] || 0) % sides) + 1}`));
    const dice = diceButtons(turn, (face, index) => [[sides, face], say("numbered_die", { number: index + 1, face })]);
    const less = button("−", () => edit(faces.slice(0, -1)), { ariaLabel: say("die_less", { label }) });
    const more = button("+", () => edit([...faces, "1"]), { ariaLabel: say("die_more", { label }) });
    return { node: h("div", {}, dice.node, h("div", {}, less, more)), show: (value) => dice.show((faces = value)) };
  },

  places({ control: { of = "", sides = 6 } }, _, change) {
    /** @type {Set<number>} */
    let chosen;
    /** @type {any} */
    let faces;
    const press = (/** @type {number} */ index) => {
      if (!chosen.delete(index + 1)) chosen.add(index + 1);
      change([...chosen].sort((a, b) => a - b));
      show(faces);
    };
    const { node, show } = diceButtons(press, (face, index) => [[sides, face], say("numbered_die", { number: index + 1, face }), chosen.has(index + 1)]);
    return { node, show: (value, state) => ((chosen = new Set(value)), show((faces = state.parts[of] ?? []))) };
  },

  rows({ label, control: { columns = [] } }, id, change) {
    const all = h("div");
    const list = editableList(all, change, (index, changeItem, removeItem) => {
      let row = /** @type {any} */ ({});
      const legend = h("legend"), remove = button("×", removeItem), more = h("details", {}, h("summary", {}, say("more")));
      const node = h("fieldset", {}, legend);
      const cells = columns.map(({ name, required, ...rest }) => {
        const cell = labelled({ name, required, ...rest }, `${id}-${index}-${name}`, (value) => changeItem({ ...row, [name]: value }));
        (required || columns.length < 4 ? node : more).append(cell.node);
        return (/** @type {State} */ state) => cell.show(row[name], state);
      });
      if (more.children.length > 1) node.append(more);
      node.append(remove); // after the cells, as they are read
      return { node, show(value, state) {
        row = value;
        update(legend, row[columns[0].name] || `${label} ${index + 1}`);
        assign(remove, { ariaLabel: say("remove", { name: `${legend.textContent}` }) });
        cells.forEach((show) => show(state));
      } };
    });
    const add = button(say("add"), () => {
      list.add(Object.fromEntries(columns.map((column) => [column.name, column.default])));
      all.lastElementChild?.querySelector("input")?.focus();
    }, { ariaLabel: say("add_to", { label }) });
    return { node: h("div", { className: "dd-rows" }, all, add), show: list.show };
  },

  resources: (field, id, change) => CONTROLS.rows({ ...field, control: { columns: [
    { name: "name", label: say("name"), help: "", required: true, default: "", control: { kind: "text" } },
    { name: "value", label: say("value"), help: "", required: true, default: "", control: { kind: "whole" } },
  ] } }, id, change),
};

/** @type {LabelledControl} */
export const labelled = (field, id, change, ...more) => {
  const { label, control: { kind } } = field, { node, input, show } = (CONTROLS[kind] ?? CONTROLS.text)(field, id, change);
  const [outer, name] = input ? [h("div"), h("label", { htmlFor: id }, label)] : [h("fieldset"), h("legend", {}, label)];
  const { low, high } = field.control;
  const bounds = low != null && high != null ? [h("small", { id: `${id}-bounds` }, say("bounds", { low, high }))] : [];
  outer.append(name, ...bounds, node, ...more);
  return { node: assign(outer, { className: `dd-field dd-is-${kind}` }), input, show };
};
