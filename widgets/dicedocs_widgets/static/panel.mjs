// The one module of all panels: it shows what a session says and tells it what a player does. No rule of a game is
// here. The types, and what is said when, stand in wire.d.ts. Text is set as text, but for what Python has escaped:
// the drawings of dice and the working of an outcome.
//
// A notebook saves this file, without its comments and indents, once: all of it and the styles is to stay small.

/** @import { Changed, Charted, Complaint, Draw, Edited, Fielded, Laid, Made, Press, Render, Several, Sized, State, Taken, Tray } from "./wire" */

const REST = 700, PATIENCE = 1500; // ms without a key before a mistake is spoken, without an answer before we say so
const IN_ROWS = 9, NAMED = 11; // bars that stand in rows; more stand side by side, so many of them with their names
/** @type {Record<string, number>} */
const MOVES = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity };
/** @type {Record<string, string>} */
let shapes = {};
/** @type {(node: any, given: object) => any} */
const set = Object.assign;

/** @type {Made} */
const h = (tag, given = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), given);
  node.append(...children);
  return node;
};

/** @type {Press} */
const button = (text, press, given) => {
  const node = h("button", { type: "button", onclick: () => node.ariaDisabled !== "true" && press(), ...given }, text);
  return node;
};

// Sets only what is new: a live region speaks, and a box loses its caret, each time it is set.
/** @param {any} node @param {string} [text] @param {string} [property] */
const put = (node, text = "", property = "textContent") => void (node[property] === text || (node[property] = text));

/** @param {HTMLElement} node @param {string} text */
const putAgain = (node, text) => ((node.textContent = ""), setTimeout(put, 50, node, text));

/** @type {Sized} */
const drawn = ([sides, face, state = "", count = 1], word = "") => {
  const known = state in shapes, digits = `${face}`.length;
  const svg = (shapes[sides] ?? shapes[""]).replace("{kind}", state && ` dice-${known ? state : "marked"}`);
  const node = h("span", { innerHTML: svg.replace("{strokes}", state && known ? shapes[state] : "").replace(/{\w+}/g, "") });
  const name = `${count > 1 ? `${count} ` : ""}d${sides} showing ${face}${state && `, ${state}`}`;
  node.firstElementChild?.setAttribute("aria-label", name);
  put(node.querySelector("text"), `${face}`);
  if (digits > 2) node.querySelector("text")?.setAttribute("font-size", `${54 / digits}`);
  word ||= known ? "" : state;
  if (word || count > 1) node.append(h("small", {}, count > 1 ? `× ${count} ${word}` : word));
  return node;
};

// Keeps a control for each item. Those that stay are the same nodes, so none loses the focus.
/** @type {Several} */
const several = (parent, make) => {
  /** @type {ReturnType<typeof make>[]} */
  const made = [];
  return (items, state) => {
    while (made.length > items.length) made.pop()?.node.remove();
    items.forEach((item, at) => {
      if (!made[at]) parent.append((made[at] = make(at)).node);
      made[at].show(item, state);
    });
  };
};

// The same for a list that is edited.
/** @type {Edited} */
const edited = (node, change, make) => {
  /** @type {any[]} */
  let items;
  /** @type {State} */
  let state;
  const keep = several(node, (at) => make(at, (item) => edit(items.with(at, item)), () => edit(items.toSpliced(at, 1))));
  const edit = (/** @type {any[]} */ now) => {
    change((items = now));
    keep(now, state);
    // What had the focus may be gone with the last item.
    if (document.activeElement === document.body) node.parentElement?.querySelector("button")?.focus();
  };
  return { add: (item) => edit([...items, item]), less: () => edit(items.slice(0, -1)), show: (now, then) => keep((items = now ?? []), (state = then)) };
};

// Makes the buttons of a group one stop of Tab, with arrows, Home and End among them.
/** @param {HTMLElement} group */
const rove = (group) => {
  const all = () => [...group.querySelectorAll("button")];
  const stop = (/** @type {any} */ here) => all().forEach((one) => (one.tabIndex = one === here ? 0 : -1));
  group.addEventListener("focusin", ({ target }) => stop(target));
  group.onkeydown = (event) => {
    const move = MOVES[event.key], among = all();
    if (!move) return;
    event.preventDefault();
    const to = among.findIndex((one) => one === event.target) + move;
    among[Math.max(0, Math.min(among.length - 1, to))].focus();
  };
  return () => stop(all().find((one) => one === document.activeElement) ?? all()[0]);
};

// Dice to press: `about` says of each what it shows, its name, whether it is pressed, and a word below it.
/** @type {Tray} */
const tray = (press, about) => {
  const node = h("div", { className: "dd-dice" }), settle = rove(node);
  const keep = several(node, (at) => {
    const one = button("", () => press(at));
    return { node: one, show(item) {
      const [die, ariaLabel, ariaPressed = null, word = ""] = about(item, at);
      set(one, { ariaLabel, ariaPressed }).replaceChildren(drawn(die, word));
    } };
  });
  return { node, show: (items) => (keep(items), settle()) };
};

/** @type {Record<string, Draw>} */
const CONTROLS = {
  text({ control: { choices = [] }, default: placeholder = "" }, id, change) {
    const input = h("input", { id, placeholder, autocomplete: "off", spellcheck: false, oninput: () => change(input.value) });
    input.setAttribute("list", `${id}-list`);
    const offered = h("datalist", { id: `${id}-list` }, ...choices.map((one) => h("option", {}, one)));
    return { node: h("div", {}, input, offered), input, show: (text) => put(input, text, "value") };
  },

  whole({ label, control: { low, high }, default: empty = "" }, id, change) {
    const { node, input, show } = CONTROLS.text({ label, control: {}, default: empty }, id, change);
    const by = (/** @type {number} */ step) => {
      const now = parseInt(input.value || empty, 10), next = isNaN(now) ? (low ?? 0) : now + step;
      change((input.value = `${Math.max(low ?? -Infinity, Math.min(high ?? Infinity, next))}`));
    };
    set(input, { inputMode: "numeric", onkeydown: (/** @type {KeyboardEvent} */ { key }) => !/^Arrow(Up|Down)$/.test(key) || (by(-MOVES[key]), false) });
    set(node, { className: "dd-count" }).prepend(button("−", () => by(-1), { tabIndex: -1, ariaLabel: `${label}: one less` }));
    node.append(button("+", () => by(1), { tabIndex: -1, ariaLabel: `${label}: one more` }));
    return { node, input, show };
  },

  truth(_, id, change) {
    const node = h("input", { id, type: "checkbox", role: "switch", onchange: () => change(`${node.checked}`) });
    return { node, input: node, show: (text) => set(node, { checked: text === "true" }) };
  },

  choice({ control: { choices = [], optional } }, id, change) {
    const options = (optional ? ["", ...choices] : choices).map((value) => h("option", { value }, value || "none"));
    const node = h("select", { id, onchange: () => change(node.value) }, ...options);
    return { node, input: node, show: (text) => put(node, text, "value") };
  },

  dice({ label }, id, change) {
    /** @type {number[]} */
    let held;
    const put = (/** @type {number[]} */ now) => {
      change((held = now));
      dice.show(held);
      if (document.activeElement === document.body) node.querySelector("button")?.focus();
    };
    const dice = tray((at) => put(held.toSpliced(at, 1)), (sides) => [[sides, sides], `Remove d${sides}`]);
    const add = (/** @type {string} */ sides) => +sides > 0 && put([...held, +sides]);
    const sizes = Object.keys(shapes).filter(Number).map((sides) => button(`d${sides}`, () => add(sides), { ariaLabel: `Add d${sides}` }));
    const any = h("input", { id: `${id}-any`, inputMode: "numeric" }), offered = h("div", {}, ...sizes);
    const other = button("Add", () => add(any.value), { ariaLabel: `${label}: add a die of so many sides` });
    const node = h("div", {}, dice.node, offered, h("div", {}, h("label", { htmlFor: any.id }, "Sides"), any, other));
    rove(offered)();
    return { node, show: (now) => dice.show((held = now)) };
  },

  faces({ label }, id, change) {
    const row = h("div");
    const list = edited(row, change, (at, tell) => {
      const { node, show } = CONTROLS.whole({ label: `${label} ${at + 1}`, control: { low: 1 } }, `${id}-${at}`, tell);
      return { node: h("div", { className: "dd-field dd-is-face" }, h("label", { htmlFor: `${id}-${at}` }, `${at + 1}`), node), show };
    });
    const less = button("−", list.less, { ariaLabel: `${label}: one die less` });
    return { node: h("div", {}, row, less, button("+", () => list.add("1"), { ariaLabel: `${label}: one die more` })), show: list.show };
  },

  places({ control: { of = "" } }, _, change) {
    /** @type {Set<number>} */
    let chosen;
    /** @type {any} */
    let faces;
    const press = (/** @type {number} */ at) => {
      if (!chosen.delete(at + 1)) chosen.add(at + 1);
      change([...chosen].sort((a, b) => a - b));
      show(faces);
    };
    const { node, show } = tray(press, (face, at) => [[6, face], `Die ${at + 1} showing ${face}`, chosen.has(at + 1)]);
    return { node, show: (now, state) => ((chosen = new Set(now)), show((faces = state.parts[of] ?? []))) };
  },

  rows({ label, control: { columns = [] } }, id, change) {
    const all = h("div");
    const list = edited(all, change, (at, tell, drop) => {
      let row = /** @type {any} */ ({});
      const legend = h("legend"), gone = button("×", drop), more = h("details", {}, h("summary", {}, "More"));
      const node = h("fieldset", {}, legend, gone);
      const cells = columns.map(({ name, required, ...one }) => {
        const cell = named({ name, required, ...one }, `${id}-${at}-${name}`, (value) => tell({ ...row, [name]: value }));
        (required || columns.length < 4 ? node : more).append(cell.node);
        return (/** @type {State} */ state) => cell.show(row[name], state);
      });
      if (more.children.length > 1) node.append(more);
      return { node, show(now, state) {
        row = now;
        put(legend, row[columns[0].name] || `${label} ${at + 1}`);
        set(gone, { ariaLabel: `Remove ${legend.textContent}` });
        cells.forEach((show) => show(state));
      } };
    });
    const add = button("Add", () => {
      list.add(Object.fromEntries(columns.map((one) => [one.name, one.default])));
      all.lastElementChild?.querySelector("input")?.focus();
    }, { ariaLabel: `Add to ${label}` });
    return { node: h("div", { className: "dd-rows" }, all, add), show: list.show };
  },

  resources: (field, id, change) => CONTROLS.rows({ ...field, control: { columns: [
    { name: "name", label: "Name", help: "", required: true, default: "", control: { kind: "text" } },
    { name: "value", label: "Value", help: "", required: true, default: "", control: { kind: "whole" } },
  ] } }, id, change),
};

/** @type {Fielded} */
const named = (field, id, change, ...more) => {
  const { label, control: { kind } } = field, { node, input, show } = (CONTROLS[kind] ?? CONTROLS.text)(field, id, change);
  const [tag, name] = input ? [h("div"), h("label", { htmlFor: id }, label)] : [h("fieldset"), h("legend", {}, label)];
  tag.append(name, node, ...more);
  return { node: set(tag, { className: `dd-field dd-is-${kind}` }), input, show };
};

// What is wrong: seen at once, spoken when the keys rest.
/** @type {Complaint} */
const complaint = (id) => {
  const words = h("span"), place = h("pre"), alert = h("p", { role: "alert", className: "dd-unseen" });
  const seen = h("div", { id, className: "dd-wrong", ariaHidden: "true" }, words, place);
  let timer = 0;
  const speak = (again = false) => (clearTimeout(timer), (again ? putAgain : put)(alert, `${words.textContent}`));
  return { nodes: [seen, alert], speak, show(mistake) {
    const [now = "", ...lines] = mistake?.text.split("\n") ?? [];
    seen.hidden = !now;
    put(place, lines.join("\n"));
    if (now === words.textContent) return;
    put(words, now);
    clearTimeout(timer);
    if (now) timer = setTimeout(speak, REST);
    else put(alert);
  } };
};

/** @type {Charted} */
const charted = (id, choose, facts) => {
  const which = h("select", { id, onchange: () => choose(which.value) }, ...facts.map(({ name, label }) => h("option", { value: name }, label)));
  const mean = h("span"), where = h("b"), note = h("p"), progress = h("progress", { ariaLabel: "Odds counted" }), bars = h("ol", { role: "list" });
  const head = h("div", {}, h("label", { htmlFor: id }, "Odds of"), which, mean, where);
  const node = h("div", { className: "dd-odds" }, head, progress, note, bars);
  let shown = "";
  return { node, show(odds) {
    node.hidden = !odds;
    if (!odds || shown === (shown = JSON.stringify(odds))) return;
    const { fact, label, state, message, here, stale } = odds, count = odds.bars.length;
    const most = Math.max(...odds.bars.map(([, p]) => p)), every = Math.ceil(count / NAMED);
    which.value = fact;
    put(mean, odds.mean && `mean ${odds.mean}`);
    put(where, odds.where);
    put(note, message);
    set(progress, { hidden: state !== "counting", value: odds.progress });
    set(bars, { ariaLabel: `Odds of ${label}`, className: `${count > IN_ROWS && "dd-columns"} ${stale && "dd-stale"}` });
    bars.replaceChildren(...odds.bars.map(([text, p, percent], at) => {
      // Names stand at equal steps from the bar of the result, which always has its own.
      const className = (at - Math.max(0, here)) % every ? "dd-mute" : at === here ? "dd-here" : "";
      const item = h("li", { className, title: `${text}: ${percent}` }, h("span", {}, text), h("i"), h("span", {}, percent));
      if (at === here) item.append(h("span", { className: "dd-unseen" }, "this roll"));
      item.style.setProperty("--p", `${p / most}`);
      return item;
    }));
  } };
};

/** @type {Taken} */
const taken = (id, label) => {
  const area = h("textarea", { id, readOnly: true, spellcheck: false }), said = h("span", { ariaLive: "polite" });
  const copy = button("Copy", () => {
    area.select();
    document.execCommand("copy"); // the newer way is not there on every page
    copy.focus();
    putAgain(said, "Copied");
  }, { ariaLabel: `Copy ${label}` });
  return { node: h("div", {}, h("label", { htmlFor: id }, label), said, copy, area), show: (text) =>
    set(area, { value: text, rows: Math.min(12, text.split("\n").length) }) };
};

// What a game's own panel lays on the table.
/** @type {Laid} */
const laid = (press) => {
  const note = h("p"), gauges = h("div"), plays = h("div", { className: "dd-do" });
  const dice = tray((at) => press({ die: at + 1 }), ({ sides, face, state, pressed }, at) =>
    [[sides, face, state], `Die ${at + 1} showing ${face}${state && `, ${state}`}${pressed && `, to ${pressed}`}`, !!pressed, pressed || state]);
  set(dice.node, { role: "group", ariaLabel: "Dice" });
  const keepPlays = several(plays, () => {
    let id = "";
    const node = button("", () => press({ play: id }));
    return { node, show(play) {
      id = play.id;
      set(node, { className: play.main ? "dd-main" : "", ariaDisabled: !play.can, title: play.why });
      put(node, play.label);
    } };
  });
  const node = h("div", { className: "dd-table" }, note, dice.node, gauges, plays);
  return { node, show({ table }) {
    node.hidden = !table;
    if (!table) return;
    put(note, table.note);
    dice.show(table.dice);
    keepPlays(table.plays);
    gauges.replaceChildren(...table.gauges.map(({ label, value, of: max }) =>
      h("p", {}, label, h("meter", { max, value, ariaLabel: label }), `${value} of ${max}`)));
  } };
};

/** @type {Render} */
export const render = ({ model, el }, css, hash = "dicedocs", front, given) => {
  if (css && !document.getElementById(hash)) document.head.append(h("style", { id: hash }, css));
  const form = given ?? model.get("_form");
  // Stands in ids too: one panel may stand in a page twice.
  const view = `dd${Math.random().toString(36).slice(2)}`;
  shapes = form.shapes;

  // What was changed here and is not answered yet: it is newer than what Python says of it.
  /** @type {Map<string, Changed>} */
  const changed = new Map(), queue = /** @type {object[]} */ ([]);
  let n = 0, flying = 0, judged = false, patience = 0, debounce = 0, shown = "", first = true;

  const change = (/** @type {string} */ name, place = "") => (/** @type {any} */ value) => {
    changed.set(name, { place, value, sent: 0 });
    clearTimeout(debounce);
    debounce = setTimeout(flush, 30);
  };
  const ask = (/** @type {string} */ what, more = {}) => (queue.push({ do: what, ...more }), flush());
  const flush = () => {
    if (flying || !alive()) return;
    const what = queue.shift() ?? ([...changed.values()].some((one) => !one.sent) && { do: "set" });
    if (!what) return;
    const message = /** @type {any} */ ({ ...what, view, n: (flying = ++n), texts: {}, parts: {} });
    for (const [name, one] of changed) {
      one.sent = n;
      (message[one.place] ?? message)[name.slice(1)] = one.value;
    }
    judged = /roll|press/.test(message.do);
    thrown.classList.toggle("dd-tumble", judged);
    patience = setTimeout(put, PATIENCE, notice, "Waiting for Python…");
    try {
      model.send(message);
    } catch (error) {
      land(`This could not be sent. ${error}`);
    }
  };
  const land = (failed = "") => {
    clearTimeout(patience);
    put(notice, failed);
    for (const [name, one] of changed) if (one.sent) changed.delete(name);
    flying = 0;
    thrown.classList.remove("dd-tumble");
    draw();
    if (judged) for (const one of wrong.values()) one.speak(true);
    flush();
  };
  // Later than the change of state before it, which a widget manager applies in turns of its own.
  const answered = (/** @type {any} */ answer) => setTimeout(() => {
    if (answer.history) keepPast(answer.history), settlePast();
    if (flying && answer.for[view] === flying) land(answer.failed);
  });
  const alive = () => {
    const dead = front?.comm_live === false;
    root.classList.toggle("dd-dead", dead);
    if (dead) put(notice, "Python is not running behind this panel: it shows what it showed last. Run its cell again to play on.");
    return !dead;
  };

  // Names begin with a mark of their place, so that a field may be called "label" too.
  /** @type {Map<string, ReturnType<Complaint>>} */
  const wrong = new Map();
  const fields = form.fields.map((field) => {
    const { name, help } = field, id = `${view}-${name}`, about = complaint(`${id}-wrong`);
    const parted = name in model.get("_state").parts;
    const { node, input, show } = named(field, id, change(`.${name}`, parted ? "parts" : "texts"), h("p", { id: `${id}-help`, className: "dd-help" }, help), ...about.nodes);
    (input ?? node).setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
    node.addEventListener("focusout", () => about.speak());
    wrong.set(name, about);
    return { node, show(/** @type {State} */ state) {
      if (changed.has(`.${name}`)) return;
      show(parted ? state.parts[name] : state.texts[name], state);
      about.show(state.errors[name]);
      if (input) set(input, { ariaInvalid: name in state.errors });
    } };
  });
  wrong.set("", complaint(`${view}-wrong`));

  const notice = h("p", { role: "alert", className: "dd-notice" }), status = h("p", { role: "status", className: "dd-unseen" });
  const caption = h("p"), thrown = h("div", { role: "list", ariaLabel: "Dice", className: "dd-thrown" }), outcome = h("div", { className: "dd-outcome" });
  const odds = charted(`${view}-.odds`, (fact) => ask("odds-of", { fact }), form.facts), table = laid((what) => ask("press", what));
  const roll = h("button", { className: "dd-main" }, "Roll"), undo = button("Undo", () => ask("undo")), clear = button("Clear", () => ask("clear"));
  const next = button("Next", () => ask("next-seed"), { ariaLabel: "Next seed" });
  /** @type {["label" | "seed" | "lock", string, string][]} */
  const kept = [["label", "Label", "text"], ["seed", "Seed", "text"], ["lock", "Lock seed", "truth"]];
  const own = kept.map(([name, label, kind]) => {
    const tell = change(`-${name}`), field = /** @type {any} */ ({ label, control: { kind } });
    const { node, show } = named(field, `${view}-.${name}`, (text) => tell(name === "lock" ? text === "true" : text));
    if (name === "seed") set(node, { className: "dd-field dd-is-seed" }).append(next);
    return { node, show: (/** @type {State} */ state) => changed.has(`-${name}`) || show(`${state[name]}`, state) };
  });
  const past = h("ol", { role: "list" }), settlePast = rove(past), keepPast = several(past, () => {
    let number = 0;
    const node = button("", () => ask("recall", { roll: number }));
    return { node: h("li", {}, node), show({ roll, headline, label, seed }) {
      number = roll;
      node.replaceChildren(h("span", {}, `${roll} `), h("b", {}, headline), h("span", {}, ` ${label} `), h("small", {}, `seed ${seed}`));
    } };
  });
  /** @type {["code" | "directive" | "directive_rst", string][]} */
  const forms = [["code", "Python"], ["directive", "Markdown"], ["directive_rst", "reStructuredText"]];
  const takes = forms.map(([name, label]) => ({ name, ...taken(`${view}-.${name}`, label) }));
  const history = h("details", { open: true }, h("summary", {}, "History"), past);
  const away = h("details", {}, h("summary", {}, "Code and directive"), ...takes.map((one) => one.node));

  const enter = () => {
    const main = model.get("_state").table?.plays.find((play) => play.main && play.can);
    if (!roll.hidden) ask("roll");
    else if (main) ask("press", { play: main.id });
  };
  const pane = h("form", { noValidate: true, onsubmit: () => (enter(), false) }, table.node,
    h("div", { className: "dd-fields" }, ...fields.map((one) => one.node),
      h("p", { className: "dd-keys" }, "Enter rolls, arrows count, Ctrl+Z takes the last roll back.")),
    ...(wrong.get("")?.nodes ?? []), h("div", { className: "dd-do" }, roll, undo, clear),
    h("div", { className: "dd-fields" }, ...own.map((one) => one.node)));
  const root = h("div", { className: "dd-panel", role: "group", ariaLabel: `${form.id.replace("/", ": ")} panel` },
    h("div", {}, h("b", {}, form.title), form.help), notice,
    h("div", { className: "dd-body" }, pane, h("div", {}, status, caption, thrown, outcome, odds.node)), history, away);
  root.onkeydown = (event) => {
    const at = /** @type {HTMLElement} */ (event.target), control = event.ctrlKey || event.metaKey;
    const undoing = control && event.key === "z", entering = event.key === "Enter";
    if (undoing && !at.matches("textarea, input:not([type])")) undo.click();
    if (entering && at.matches("form select")) enter();
    if (entering && event.repeat) event.preventDefault();
    // A notebook would take the rest: d d on a focused button deletes the cell.
    if (undoing || (!control && !event.altKey)) event.stopPropagation();
  };

  const draw = () => {
    const state = model.get("_state"), { can, outcome: now } = state;
    for (const one of [...fields, ...own, table]) one.show(state);
    wrong.get("")?.show(state.error);
    odds.show(state.odds);
    for (const one of takes) one.show(state[one.name]);
    roll.hidden = !!state.table;
    history.hidden = !state.rolls;
    away.hidden = !state.code;
    set(undo, { ariaDisabled: !can.undo });
    set(clear, { ariaDisabled: !can.clear });
    const { sentence = "No roll yet.", html = "", dice = [], more = 0 } = now ?? {};
    if (shown !== (shown = sentence + html)) {
      const within = outcome.contains(document.activeElement);
      thrown.classList.toggle("dd-settle", !first);
      thrown.replaceChildren(...dice.map((die) => set(drawn(die), { role: "listitem" })), more ? `and ${more} more` : "");
      thrown.hidden = !dice.length;
      outcome.innerHTML = html;
      if (within) (outcome.querySelector("summary") ?? roll).focus();
      put(status, sentence);
      put(caption, now ? `Roll ${now.roll}${now.label && ` · ${now.label}`}` : sentence);
    }
    first = false;
  };

  model.on("change:_state", draw);
  model.on("msg:custom", answered);
  front?.on("comm_live_update", alive);
  draw();
  el.append(root);
  ask("history");
  return () => {
    model.off("change:_state", draw);
    model.off("msg:custom", answered);
    front?.off("comm_live_update", alive);
    root.remove();
  };
};
