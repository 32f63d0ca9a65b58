// The front end of all panels: it shows the state of a session and sends what a player does. It contains no rules of
// games. The types and the protocol are in wire.d.ts. Text is set as text, except for what Python has escaped: the
// drawings of dice and the working of an outcome.
//
// A notebook saves this file and the styles once, compressed, within a size limit that is tested.

/** @import { CreateButton, CreateControl, CreateElement, CopyBox, DiceButtons, DrawDie, EditableList, ErrorMessage, Field, FieldError, GameTable, HistoryList, LabelledControl, LastRoll, Messenger, OddsChart, PendingChange, Render, Roll, State, SyncList } from "./wire" */

const SPEAK_DELAY = 700; // ms without a key before an error is spoken
const TUMBLE_DELAY = 100, WAIT_DELAY = 1500; // ms without an answer before dice turn, and before a notice is shown
const MANY_DICE = 9; // so many dice are drawn smaller
const MAX_ROWS = 9; // more bars than these stand side by side
const MAX_NAMES = 11, MAX_LETTERS = 40; // limits for the names below bars that stand side by side
const KEYS_HINT = "Enter rolls, arrow keys count, Ctrl+Z undoes the last roll.";
const DEAD_NOTICE = "Python is not running behind this panel, which shows its last outcome. Run its cell again to continue.";
const SAVED_NOTICE = "A saved panel with its last outcome. To roll, open the notebook.";
/** The fields that every panel has, beside those of its mechanic. @type {Field[]} */
const PANEL_FIELDS = [
  { name: "label", label: "Label", help: "the label of the next roll", required: false, default: "", control: { kind: "text" } },
  { name: "seed", label: "Seed", help: "the seed of the dice, a number or a word; empty for a new one", required: false, default: "", control: { kind: "text" } },
  { name: "lock", label: "Lock seed", help: "whether each roll reuses the seed of the one before", required: false, default: "", control: { kind: "truth" } },
];
/** @type {Record<string, number>} */
const KEY_STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
/** @type {Record<string, string>} */
let shapes = {};
/** @type {(node: any, properties: object) => any} */
const assign = Object.assign;

/** @type {CreateElement} */
const h = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

/** @type {CreateButton} */
const button = (text, press, properties) => {
  const node = h("button", { type: "button", onclick: () => node.ariaDisabled !== "true" && press(), ...properties }, text);
  return node;
};

// Sets a property only if it changes: each time it is set, a live region speaks and a box loses its caret.
/** @param {any} node @param {string} [text] @param {string} [property] */
const update = (node, text = "", property = "textContent") => void (node[property] === text || (node[property] = text));

// Sets the text of a live region so that it is spoken even if it is the same as before.
/** @param {HTMLElement} node @param {string} text */
const announce = (node, text) => ((node.textContent = ""), setTimeout(update, 50, node, text));

/** @type {DrawDie} */
const drawDie = ([sides, face, state = "", count = 1], caption = "") => {
  const known = state in shapes, digits = `${face}`.length;
  const svg = (shapes[sides] ?? shapes[""]).replace("{kind}", state && ` dice-${known ? state : "marked"}`);
  const node = h("span", { innerHTML: svg.replace("{strokes}", state && known ? shapes[state] : "").replace(/{\w+}/g, "") });
  const name = `${count > 1 ? `${count} ` : ""}d${sides} showing ${face}${state && `, ${state}`}`;
  node.firstElementChild?.setAttribute("aria-label", name);
  update(node.querySelector("text"), `${face}`);
  if (digits > 2) node.querySelector("text")?.setAttribute("font-size", `${54 / digits}`);
  caption ||= known ? "" : state;
  if (caption || count > 1) node.append(h("small", {}, count > 1 ? `× ${count} ${caption}` : caption));
  return node;
};

// Changes the content of a node. If the focused element is removed, the focus moves to another button there, or to Roll.
/** @param {HTMLElement} node @param {() => void} change */
const keepFocus = (node, change, selector = "button") => {
  const focused = node.contains(document.activeElement);
  change();
  const next = () => node.querySelector(selector) ?? node.closest(".dd-panel")?.querySelector(".dd-main:not([hidden])");
  if (focused && !node.contains(document.activeElement)) /** @type {HTMLElement | null} */ (next())?.focus();
};

// Keeps one control per item. Controls that stay keep their nodes, and so the focus.
/** @type {SyncList} */
const syncList = (parent, create) => {
  /** @type {ReturnType<typeof create>[]} */
  const controls = [];
  return (items, state) => {
    while (controls.length > items.length) controls.pop()?.node.remove();
    items.forEach((item, index) => {
      if (!controls[index]) parent.append((controls[index] = create(index)).node);
      controls[index].show(item, state);
    });
  };
};

/** @type {EditableList} */
const editableList = (node, change, create) => {
  /** @type {any[]} */
  let items;
  /** @type {State} */
  let state;
  const sync = syncList(node, (index) => create(index, (item) => edit(items.with(index, item)), () => edit(items.toSpliced(index, 1))));
  const edit = (/** @type {any[]} */ edited) => {
    change((items = edited));
    keepFocus(node.parentElement ?? node, () => sync(edited, state), ":scope > div > :last-child > button, :scope > button");
  };
  const show = (/** @type {any[]} */ newItems, /** @type {State} */ newState) => sync((items = newItems ?? []), (state = newState));
  return { add: (item) => edit([...items, item]), removeLast: () => edit(items.slice(0, -1)), show };
};

// Makes the buttons of a group a single tab stop, with arrow keys, Home and End to move among them.
/** @param {HTMLElement} group */
const rovingFocus = (group) => {
  const buttons = () => [...group.querySelectorAll("button")];
  const setStop = (/** @type {any} */ stop) => buttons().forEach((one) => (one.tabIndex = one === stop ? 0 : -1));
  group.addEventListener("focusin", ({ target }) => setStop(target));
  group.onkeydown = (event) => {
    const step = KEY_STEPS[event.key], all = buttons();
    if (!step) return;
    event.preventDefault();
    const next = all.findIndex((one) => one === event.target) + step;
    all[Math.max(0, Math.min(all.length - 1, next))].focus();
  };
  return () => setStop(buttons().find((one) => one === document.activeElement) ?? buttons()[0]);
};

// Dice that can be pressed. `describe` returns for each its drawing, name, pressed state, caption and disabled state.
/** @type {DiceButtons} */
const diceButtons = (press, describe) => {
  const node = h("div", { className: "dd-dice" }), resetStop = rovingFocus(node);
  const sync = syncList(node, (index) => {
    const die = button("", () => press(index));
    return { node: die, show(item) {
      const [drawing, ariaLabel, ariaPressed = null, caption = "", ariaDisabled = false] = describe(item, index);
      assign(die, { ariaLabel, ariaPressed, ariaDisabled }).replaceChildren(drawDie(drawing, caption));
    } };
  });
  return { node, show: (items) => (sync(items), resetStop()) };
};

/** @type {Record<string, CreateControl>} */
const CONTROLS = {
  text({ control: { choices = [] }, default: placeholder = "" }, id, change) {
    const input = h("input", { id, placeholder, autocomplete: "off", spellcheck: false, oninput: () => change(input.value) });
    const node = h("div", {}, input);
    if (choices.length) {
      input.setAttribute("list", `${id}-list`);
      node.append(h("datalist", { id: `${id}-list` }, ...choices.map((choice) => h("option", {}, choice))));
    }
    return { node, input, show: (text) => update(input, text, "value") };
  },

  whole({ label, control: { low, high }, default: empty = "" }, id, change) {
    const { node, input, show } = CONTROLS.text({ label, control: {}, default: empty }, id, change);
    const stepBy = (/** @type {number} */ step) => {
      const number = parseInt(input.value || empty, 10), next = isNaN(number) ? (low ?? 0) : number + step;
      change((input.value = `${Math.max(low ?? -Infinity, Math.min(high ?? Infinity, next))}`));
    };
    assign(input, { inputMode: "numeric", onkeydown: (/** @type {KeyboardEvent} */ { key }) => !/^Arrow(Up|Down)$/.test(key) || (stepBy(-KEY_STEPS[key]), false) });
    assign(node, { className: "dd-count" }).prepend(button("−", () => stepBy(-1), { tabIndex: -1, ariaLabel: `${label}: one less` }));
    node.append(button("+", () => stepBy(1), { tabIndex: -1, ariaLabel: `${label}: one more` }));
    return { node, input, show };
  },

  truth(_, id, change) {
    const node = h("input", { id, type: "checkbox", role: "switch", onchange: () => change(`${node.checked}`) });
    return { node, input: node, show: (text) => assign(node, { checked: text === "true" }) };
  },

  choice({ control: { choices = [], optional } }, id, change) {
    const options = (optional ? ["", ...choices] : choices).map((value) => h("option", { value }, value || "none"));
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
    const dice = diceButtons((index) => edit(sizes.toSpliced(index, 1)), (sides) => [[sides, sides], `Remove d${sides}`]);
    const add = (/** @type {string} */ sides) => +sides > 0 && edit([...sizes, +sides]);
    const usual = Object.keys(shapes).filter(Number).map((sides) => button(`d${sides}`, () => add(sides), { ariaLabel: `Add d${sides}` }));
    const input = h("input", { id: `${id}-any`, inputMode: "numeric" });
    const addOther = button("Add", () => add(input.value), { ariaLabel: `${label}: add a die of so many sides` });
    input.onkeydown = ({ key }) => key !== "Enter" || (add(input.value), false);
    const other = h("details", {}, h("summary", {}, "Other"), h("div", {}, h("label", { htmlFor: input.id }, "Sides"), input, addOther));
    const usualGroup = h("div", {}, ...usual), node = h("div", {}, dice.node, h("div", {}, usualGroup, other));
    rovingFocus(usualGroup)();
    return { node, show: (value) => dice.show((sizes = value)) };
  },

  faces({ label }, id, change) {
    const row = h("div");
    const list = editableList(row, change, (index, changeItem) => {
      const { node, show } = CONTROLS.whole({ label: `${label} ${index + 1}`, control: { low: 1 } }, `${id}-${index}`, changeItem);
      return { node: h("div", { className: "dd-field dd-is-face" }, h("label", { htmlFor: `${id}-${index}` }, `${index + 1}`), node), show };
    });
    const remove = button("−", list.removeLast, { ariaLabel: `${label}: one die less` });
    return { node: h("div", {}, row, remove, button("+", () => list.add("1"), { ariaLabel: `${label}: one die more` })), show: list.show };
  },

  places({ control: { of = "" } }, _, change) {
    /** @type {Set<number>} */
    let chosen;
    /** @type {any} */
    let faces;
    const press = (/** @type {number} */ index) => {
      if (!chosen.delete(index + 1)) chosen.add(index + 1);
      change([...chosen].sort((a, b) => a - b));
      show(faces);
    };
    const { node, show } = diceButtons(press, (face, index) => [[6, face], `Die ${index + 1} showing ${face}`, chosen.has(index + 1)]);
    return { node, show: (value, state) => ((chosen = new Set(value)), show((faces = state.parts[of] ?? []))) };
  },

  rows({ label, control: { columns = [] } }, id, change) {
    const all = h("div");
    const list = editableList(all, change, (index, changeItem, removeItem) => {
      let row = /** @type {any} */ ({});
      const legend = h("legend"), remove = button("×", removeItem), more = h("details", {}, h("summary", {}, "More"));
      const node = h("fieldset", {}, legend, remove);
      const cells = columns.map(({ name, required, ...rest }) => {
        const cell = labelled({ name, required, ...rest }, `${id}-${index}-${name}`, (value) => changeItem({ ...row, [name]: value }));
        (required || columns.length < 4 ? node : more).append(cell.node);
        return (/** @type {State} */ state) => cell.show(row[name], state);
      });
      if (more.children.length > 1) node.append(more);
      return { node, show(value, state) {
        row = value;
        update(legend, row[columns[0].name] || `${label} ${index + 1}`);
        assign(remove, { ariaLabel: `Remove ${legend.textContent}` });
        cells.forEach((show) => show(state));
      } };
    });
    const add = button("Add", () => {
      list.add(Object.fromEntries(columns.map((column) => [column.name, column.default])));
      all.lastElementChild?.querySelector("input")?.focus();
    }, { ariaLabel: `Add to ${label}` });
    return { node: h("div", { className: "dd-rows" }, all, add), show: list.show };
  },

  resources: (field, id, change) => CONTROLS.rows({ ...field, control: { columns: [
    { name: "name", label: "Name", help: "", required: true, default: "", control: { kind: "text" } },
    { name: "value", label: "Value", help: "", required: true, default: "", control: { kind: "whole" } },
  ] } }, id, change),
};

/** @type {LabelledControl} */
const labelled = (field, id, change, ...more) => {
  const { label, control: { kind } } = field, { node, input, show } = (CONTROLS[kind] ?? CONTROLS.text)(field, id, change);
  const [outer, name] = input ? [h("div"), h("label", { htmlFor: id }, label)] : [h("fieldset"), h("legend", {}, label)];
  outer.append(name, node, ...more);
  return { node: assign(outer, { className: `dd-field dd-is-${kind}` }), input, show };
};

// An error, shown at once and spoken after a pause in typing.
/** @type {ErrorMessage} */
const errorMessage = (id) => {
  const message = h("span"), excerpt = h("pre"), alert = h("p", { role: "alert", className: "dd-unseen" });
  const visible = h("div", { id, className: "dd-wrong", ariaHidden: "true" }, message, excerpt);
  let timer = 0;
  const speak = (again = false) => (clearTimeout(timer), (again ? announce : update)(alert, `${message.textContent}`));
  return { nodes: [visible, alert], speak, show(error) {
    const [text = "", ...lines] = error?.text.split("\n") ?? [];
    visible.hidden = !text;
    update(excerpt, lines.join("\n"));
    if (text === message.textContent) return;
    update(message, text);
    clearTimeout(timer);
    if (text) timer = setTimeout(speak, SPEAK_DELAY);
    else update(alert);
  } };
};

/** @type {OddsChart} */
const oddsChart = (id, choose, facts) => {
  const select = h("select", { id, onchange: () => choose(select.value) }, ...facts.map(({ name, label }) => h("option", { value: name }, label)));
  const mean = h("span"), where = h("b"), note = h("p"), progress = h("progress", { ariaLabel: "Odds counted" }), list = h("ol", { role: "list" });
  const head = h("div", {}, h("label", { htmlFor: id }, "Odds of"), select, mean, where);
  const node = h("div", { className: "dd-odds" }, head, progress, note, list);
  const sync = syncList(list, () => {
    const name = h("span"), bar = h("i"), value = h("span"), mark = h("span", { className: "dd-unseen" });
    const node = h("li", {}, name, bar, value, mark);
    return { node, show({ text, p, percent, className }) {
      assign(node, { className, title: `${text}: ${percent}` });
      bar.style.setProperty("--p", p);
      update(name, text);
      update(value, percent);
      update(mark, className === "dd-here" ? "this roll" : "");
    } };
  });
  let shown = "";
  return { node, show(odds) {
    node.hidden = !odds;
    if (!odds || shown === (shown = JSON.stringify(odds))) return;
    const { fact, label, state, message, here, stale, bars } = odds, count = bars.length;
    const highest = Math.max(...bars.map(([, p]) => p)), longest = Math.max(...bars.map(([text]) => text.length));
    const interval = Math.ceil(count / Math.min(MAX_NAMES, Math.max(1, Math.floor(MAX_LETTERS / (longest + 1)))));
    update(select, fact, "value");
    update(mean, odds.mean && `mean ${odds.mean}`);
    update(where, odds.where);
    update(note, message);
    assign(progress, { hidden: state !== "counting", value: odds.progress });
    assign(list, { ariaLabel: `Odds of ${label}` });
    list.classList.toggle("dd-columns", count > MAX_ROWS);
    list.classList.toggle("dd-stale", stale);
    // Names are shown at equal intervals, counted from the bar of the result, whose name is always shown. Without a
    // mean, the last bar may stand for all other values; its name is shown if there is room.
    const last = odds.mean ? Infinity : count - 1;
    const nameless = (/** @type {number} */ index) =>
      index === last ? here >= 0 && last - here < interval : (index - Math.max(0, here)) % interval || last - index < interval;
    sync(bars.map(([text, p, percent], index) =>
      ({ text, p: `${p / highest}`, percent, className: index === here ? "dd-here" : nameless(index) ? "dd-mute" : "" })));
  } };
};

/** @type {CopyBox} */
const copyBox = (id, label) => {
  const area = h("textarea", { id, readOnly: true, spellcheck: false }), status = h("span", { ariaLive: "polite" });
  const copy = button("Copy", () => {
    area.select();
    document.execCommand("copy"); // the newer API is not available on every page
    copy.focus();
    announce(status, "Copied");
    setTimeout(update, 5 * SPEAK_DELAY, status);
  }, { ariaLabel: `Copy ${label}` });
  return { node: h("div", {}, h("label", { htmlFor: id }, label), status, copy, area), show: (text) =>
    area.value === text || assign(area, { value: text, rows: Math.min(12, text.split("\n").length) }) };
};

// The state and the plays of a game's own panel.
/** @type {GameTable} */
const gameTable = (press) => {
  const note = h("b"), meters = h("div", { className: "dd-gauges" }), plays = h("div", { className: "dd-do" });
  const dice = diceButtons((index) => press({ die: index + 1 }), ({ sides, face, state, pressed }, index) =>
    [[sides, face, state], `Die ${index + 1} showing ${face}${state && `, ${state}`}${pressed && `, to ${pressed}`}`, !!pressed, pressed || state, !!state]);
  assign(dice.node, { role: "group", ariaLabel: "Dice" });
  const syncPlays = syncList(plays, () => {
    let id = "";
    const node = button("", () => press({ play: id }));
    return { node, show(play) {
      id = play.id;
      assign(node, { className: play.main ? "dd-main" : "", ariaDisabled: !play.can, title: play.why });
      update(node, play.label);
    } };
  });
  const node = h("div", { className: "dd-table" }, note, dice.node, meters, plays);
  return { node, show({ table }) {
    node.hidden = !table;
    if (!table) return;
    update(note, table.note);
    dice.show(table.dice);
    syncPlays(table.plays);
    meters.replaceChildren(...table.gauges.map(({ label, value, of: max }) => {
      const limited = max !== null;
      return h("p", {}, label, limited ? h("meter", { max, value, ariaLabel: label }) : "", h("b", {}, limited ? `${value} of ${max}` : `${value}`));
    }));
  } };
};

/** @type {LastRoll} */
const lastRoll = () => {
  const status = h("p", { role: "status", className: "dd-unseen" }), caption = h("p");
  const thrown = h("div", { role: "list", ariaLabel: "Dice", className: "dd-thrown" }), working = h("div", { className: "dd-outcome" });
  let shown = "", timer = 0;
  return {
    nodes: [status, caption, thrown, working],
    tumble(on) {
      clearTimeout(timer);
      // The animation of the roll before would delay this one.
      thrown.classList.remove(on ? "dd-settle" : "dd-tumble");
      if (on) timer = setTimeout(() => thrown.classList.add("dd-tumble"), TUMBLE_DELAY);
    },
    show(outcome) {
      const { sentence = "No roll yet.", html = "", dice = [], more = 0 } = outcome ?? {};
      if (shown === sentence + html) return;
      // The first outcome that a page shows is not animated.
      thrown.classList.toggle("dd-settle", !!shown);
      thrown.classList.toggle("dd-many", dice.length >= MANY_DICE);
      shown = sentence + html;
      thrown.replaceChildren(...dice.map((die) => assign(drawDie(die), { role: "listitem" })), more ? `and ${more} more` : "");
      thrown.hidden = !dice.length;
      keepFocus(working, () => (working.innerHTML = html), "summary");
      update(status, sentence);
      update(caption, outcome ? `Roll ${outcome.roll}${outcome.label && ` · ${outcome.label}`}` : sentence);
    },
  };
};

/** @type {HistoryList} */
const historyList = (recall) => {
  const list = h("ol", { role: "list" }), resetStop = rovingFocus(list);
  const node = h("details", { open: true, hidden: true, className: "dd-past" }, h("summary", {}, "History"), list);
  /** @type {Map<string, HTMLElement>} */
  let nodes = new Map();
  const createEntry = (/** @type {Roll} */ { roll, headline, label, seed }) => {
    const entry = button("", () => recall(roll));
    entry.append(h("span", {}, `${roll} `), h("b", {}, headline), h("span", {}, ` ${label} `), h("small", {}, `seed ${seed}`));
    return h("li", {}, entry);
  };
  return { node, show: (rolls) => keepFocus(list, () => {
    // A roll keeps its node at any position: most of a long history stays the same.
    const before = nodes;
    nodes = new Map(rolls.map((roll) => {
      const key = JSON.stringify(roll);
      return [key, before.get(key) ?? createEntry(roll)];
    }));
    for (const [key, entry] of before) if (!nodes.has(key)) entry.remove();
    [...nodes.values()].forEach((entry, index) => list.children[index] === entry || list.insertBefore(entry, list.children[index] ?? null));
    resetStop();
    node.hidden = !rolls.length;
  }) };
};

// Sends messages to Python, one at a time, each with all changes of the page that are not answered yet.
/** @type {Messenger} */
const messenger = (model, view, { dead, sending, answering }) => {
  /** @type {Map<string, PendingChange>} */
  const changes = new Map(), queue = /** @type {object[]} */ ([]);
  let n = 0, awaited = 0, rolling = false, waitTimer = 0, debounce = 0;

  const send = () => {
    if (awaited || dead()) return;
    const action = queue.shift() ?? ([...changes.values()].some((one) => !one.sent) && { do: "set" });
    if (!action) return;
    const message = /** @type {any} */ ({ ...action, view, n: (awaited = ++n), texts: {}, parts: {} });
    for (const one of changes.values()) {
      one.sent = n;
      (message[one.section] ?? message)[one.name] = one.value;
    }
    rolling = /roll|press/.test(message.do);
    sending(rolling, false);
    waitTimer = setTimeout(sending, WAIT_DELAY, rolling, true);
    try {
      model.send(message);
    } catch (error) {
      finish(`The message could not be sent. ${error}`);
    }
  };
  const finish = (failed = "") => {
    clearTimeout(waitTimer);
    for (const [key, one] of changes) if (one.sent) changes.delete(key);
    awaited = 0;
    answering(rolling, failed);
    send();
  };
  return {
    // What was changed in the page is newer than what the state says of it.
    isChanged: (key) => changes.has(key),
    change(key, section, name, value) {
      changes.set(key, { section, name, value, sent: 0 });
      clearTimeout(debounce);
      debounce = setTimeout(send, 30);
    },
    ask: (action, more = {}) => dead() || (queue.push({ do: action, ...more }), send()),
    receive: (answer) => awaited && answer.for[view] === awaited && finish(answer.failed),
  };
};

/** @type {Render} */
export const render = ({ model, el }, css, hash = "dicedocs", front, ownForm) => {
  if (css && !document.getElementById(hash)) document.head.append(h("style", { id: hash }, css));
  const form = ownForm ?? model.get("_form"), { parts } = model.get("_state");
  // Part of the ids too, since a page may show a panel twice.
  const view = `dd${Math.random().toString(36).slice(2)}`;
  shapes = form.shapes;

  const notice = h("p", { role: "alert", className: "dd-notice" });
  const dead = () => front?.comm_live === false;
  const { isChanged, change, ask, receive } = messenger(model, view, {
    dead,
    sending(rolling, long) {
      result.tumble(rolling);
      if (long) update(notice, "Waiting for Python…");
    },
    answering(rolling, failed) {
      update(notice, failed);
      result.tumble(false);
      draw();
      if (rolling) for (const error of errors) error.speak(true);
    },
  });

  const panelError = errorMessage(`${view}-wrong`), errors = [panelError];
  /** @param {Field} field @param {string} section @param {(state: State) => [value: any, error?: FieldError | null]} read */
  const createField = (field, section, read) => {
    const { name, help } = field, key = `${section}.${name}`, id = `${view}-${key}`, error = errorMessage(`${id}-wrong`);
    const send = (/** @type {any} */ value) => change(key, section, name, key === ".lock" ? value === "true" : value);
    const helpText = h("p", { id: `${id}-help`, className: "dd-help" }, help);
    const { node, input, show } = labelled(field, id, send, helpText, ...error.nodes);
    (input ?? node).setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
    node.addEventListener("focusout", () => error.speak());
    errors.push(error);
    return { node, show(/** @type {State} */ state) {
      if (isChanged(key)) return;
      const [value, fieldError] = read(state);
      show(value, state);
      error.show(fieldError);
      if (input) assign(input, { ariaInvalid: !!fieldError });
    } };
  };
  const fields = form.fields.map((field) => {
    const { name } = field, section = name in parts ? "parts" : "texts";
    return createField(field, section, (state) => [state[section][name], state.errors[name]]);
  });
  const [label, seed, lock] = PANEL_FIELDS;
  const panelFields = [createField(label, "", (state) => [state.label]), createField(seed, "", (state) => [state.seed, state.seed_error]), createField(lock, "", (state) => [`${state.lock}`])];
  panelFields[0].node.classList.add("dd-wide");
  panelFields[1].node.classList.add("dd-is-seed");
  panelFields[1].node.children[1].after(button("Next", () => ask("next-seed"), { ariaLabel: "Next seed" }));

  const result = lastRoll(), odds = oddsChart(`${view}-.odds`, (fact) => ask("odds-of", { fact }), form.facts), table = gameTable((target) => ask("press", target));
  // Enter in a box presses the first submit button; submitting the form would cost more than this handler.
  const roll = h("button", { className: "dd-main", onclick: () => (enter(), false) }, "Roll"), undo = button("Undo", () => ask("undo")), clear = button("Clear", () => ask("clear"));
  const history = historyList((roll) => ask("recall", { roll }));
  /** @type {["code" | "directive" | "directive_rst", string][]} */
  const formats = [["code", "Python"], ["directive", "Markdown"], ["directive_rst", "reStructuredText"]];
  const copyBoxes = formats.map(([name, label]) => ({ name, ...copyBox(`${view}-.${name}`, label) }));
  const exported = h("details", { className: "dd-away", ontoggle: () => showExported() }, h("summary", {}, "Code and directive"), ...copyBoxes.map((one) => one.node));

  // Only while they are visible: a browser's autofill scans the whole page for each box that is set.
  const showExported = () => exported.open && copyBoxes.forEach((one) => one.show(model.get("_state")[one.name]));
  const enter = () => {
    const main = model.get("_state").table?.plays.find((play) => play.main && play.can);
    if (!roll.hidden) ask("roll");
    else if (main) ask("press", { play: main.id });
  };
  const pane = h("form", {}, table.node,
    h("div", { className: "dd-fields" }, ...fields.map((one) => one.node)), ...panelError.nodes,
    h("div", { className: "dd-do" }, roll, undo, clear),
    h("div", { className: "dd-fields" }, ...panelFields.map((one) => one.node)), h("p", { className: "dd-keys" }, KEYS_HINT));
  const body = h("div", { className: "dd-body" }, pane, h("div", {}, ...result.nodes, odds.node, history.node));
  const root = h("div", { className: "dd-panel", role: "group", ariaLabel: `${form.id.replace("/", ": ")} panel` },
    h("div", {}, h("b", {}, form.title), form.help), notice, body, exported);
  root.onkeydown = (event) => {
    const target = /** @type {HTMLElement} */ (event.target), control = event.ctrlKey || event.metaKey;
    const undoing = control && event.key === "z", entering = event.key === "Enter";
    if (undoing && !target.matches("textarea, input:not([type])")) undo.click();
    if (entering && target.matches("form select")) enter();
    if (entering && event.repeat) event.preventDefault();
    // JupyterLab would handle the rest: d d on a focused button deletes the cell.
    if (undoing || (!control && !event.altKey)) event.stopPropagation();
    if (event.key === "Escape") hideHelp(true);
  };
  // The help of a field is shown above it until somebody types.
  const hideHelp = (/** @type {boolean} */ on) => root.classList.toggle("dd-quiet", on);
  root.oninput = () => hideHelp(true);
  root.onpointerover = () => hideHelp(false);
  root.addEventListener("focusin", () => hideHelp(false));

  const draw = () => {
    const state = model.get("_state"), { can } = state;
    for (const one of [...fields, ...panelFields, table]) one.show(state);
    panelError.show(state.error);
    result.show(state.outcome);
    odds.show(state.odds);
    showExported();
    roll.hidden = !!state.table;
    exported.hidden = !state.code;
    assign(undo, { ariaDisabled: !can.undo });
    assign(clear, { ariaDisabled: !can.clear });
    if (!dead()) return;
    root.classList.add(front?.saved ? "dd-saved" : "dd-dead");
    update(notice, front?.saved ? SAVED_NOTICE : DEAD_NOTICE);
    for (const one of body.querySelectorAll("button")) one.ariaDisabled = "true";
  };
  // Deferred, since a widget manager applies the change of state before it asynchronously.
  const handleAnswer = (/** @type {any} */ answer) => setTimeout(() => {
    if (answer.history) history.show(answer.history);
    receive(answer);
  });

  model.on("change:_state", draw);
  model.on("msg:custom", handleAnswer);
  front?.on("comm_live_update", draw);
  draw();
  el.append(root);
  ask("history");
  return () => {
    model.off("change:_state", draw);
    model.off("msg:custom", handleAnswer);
    front?.off("comm_live_update", draw);
    root.remove();
  };
};
