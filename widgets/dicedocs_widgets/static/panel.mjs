// The one module of all panels: it shows what a session says and tells it what a player does. No rule of a game is
// here. The types, and what is said when, stand in wire.d.ts. Text is set as text, but for what Python has escaped:
// the drawings of dice and the working of an outcome.
//
// A notebook saves this file and the styles once, packed: together they are to stay small.

/** @import { Changed, Charted, Complaint, Draw, Edited, Field, Fielded, Laid, Made, Mistake, Press, Remembered, Render, Rolled, Several, Sized, State, Taken, Talking, Told, Tray } from "./wire" */

const REST = 700; // ms without a key before a mistake is spoken
const TUMBLE = 100, PATIENCE = 1500; // ms without an answer before dice turn, and before we say that we wait
const MANY = 9; // dice that are drawn smaller
const IN_ROWS = 9; // bars that stand in rows; more stand side by side
const NAMED = 11, LETTERS = 40; // so many of those with their names at most, and of long names so few that they fit
const KEYS = "Enter rolls, arrows count, Ctrl+Z takes the last roll back.";
const DEAD = "Python is not running behind this panel: it shows what it showed last. Run its cell again to play on.";
const SAVED = "A saved panel, as its last roll left it. To roll, open the notebook.";
/** What each panel has beside the fields of its mechanic. @type {Field[]} */
const OWN = [
  { name: "label", label: "Label", help: "what the next roll is called", required: false, default: "", control: { kind: "text" } },
  { name: "seed", label: "Seed", help: "what decides the dice, a number or a word; empty for a new one", required: false, default: "", control: { kind: "text" } },
  { name: "lock", label: "Lock seed", help: "whether each roll has the seed of the one before", required: false, default: "", control: { kind: "truth" } },
];
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

// Changes what stands in a node. Where what had the focus goes away, what else can be pressed there has it, or Roll.
/** @param {HTMLElement} node @param {() => void} change */
const changing = (node, change, next = "button") => {
  const within = node.contains(document.activeElement);
  change();
  const to = () => node.querySelector(next) ?? node.closest(".dd-panel")?.querySelector(".dd-main:not([hidden])");
  if (within && !node.contains(document.activeElement)) /** @type {HTMLElement | null} */ (to())?.focus();
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
    changing(node.parentElement ?? node, () => keep(now, state), ":scope > div > :last-child > button, :scope > button");
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
      const [die, ariaLabel, ariaPressed = null, word = "", ariaDisabled = false] = about(item, at);
      set(one, { ariaLabel, ariaPressed, ariaDisabled }).replaceChildren(drawn(die, word));
    } };
  });
  return { node, show: (items) => (keep(items), settle()) };
};

/** @type {Record<string, Draw>} */
const CONTROLS = {
  text({ control: { choices = [] }, default: placeholder = "" }, id, change) {
    const input = h("input", { id, placeholder, autocomplete: "off", spellcheck: false, oninput: () => change(input.value) });
    const node = h("div", {}, input);
    if (choices.length) {
      input.setAttribute("list", `${id}-list`);
      node.append(h("datalist", { id: `${id}-list` }, ...choices.map((one) => h("option", {}, one))));
    }
    return { node, input, show: (text) => put(input, text, "value") };
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
      changing(node, () => dice.show(held));
    };
    const dice = tray((at) => put(held.toSpliced(at, 1)), (sides) => [[sides, sides], `Remove d${sides}`]);
    const add = (/** @type {string} */ sides) => +sides > 0 && put([...held, +sides]);
    const sizes = Object.keys(shapes).filter(Number).map((sides) => button(`d${sides}`, () => add(sides), { ariaLabel: `Add d${sides}` }));
    const offered = h("div", {}, ...sizes), any = h("input", { id: `${id}-any`, inputMode: "numeric" });
    const other = button("Add", () => add(any.value), { ariaLabel: `${label}: add a die of so many sides` });
    any.onkeydown = ({ key }) => key !== "Enter" || (add(any.value), false);
    const rare = h("details", {}, h("summary", {}, "Other"), h("div", {}, h("label", { htmlFor: any.id }, "Sides"), any, other));
    const node = h("div", {}, dice.node, h("div", {}, offered, rare));
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
  const keep = several(bars, () => {
    const name = h("span"), bar = h("i"), value = h("span"), told = h("span", { className: "dd-unseen" });
    const node = h("li", {}, name, bar, value, told);
    return { node, show({ text, p, percent, className }) {
      set(node, { className, title: `${text}: ${percent}` });
      bar.style.setProperty("--p", p);
      put(name, text);
      put(value, percent);
      put(told, className === "dd-here" ? "this roll" : "");
    } };
  });
  let shown = "";
  return { node, show(odds) {
    node.hidden = !odds;
    if (!odds || shown === (shown = JSON.stringify(odds))) return;
    const { fact, label, state, message, here, stale } = odds, count = odds.bars.length;
    const most = Math.max(...odds.bars.map(([, p]) => p)), longest = Math.max(...odds.bars.map(([text]) => text.length));
    const every = Math.ceil(count / Math.min(NAMED, Math.max(1, Math.floor(LETTERS / (longest + 1)))));
    put(which, fact, "value");
    put(mean, odds.mean && `mean ${odds.mean}`);
    put(where, odds.where);
    put(note, message);
    set(progress, { hidden: state !== "counting", value: odds.progress });
    set(bars, { ariaLabel: `Odds of ${label}` });
    bars.classList.toggle("dd-columns", count > IN_ROWS);
    bars.classList.toggle("dd-stale", stale);
    // Names stand at equal steps from the bar of the result, which always has its own. Where there is no mean, the
    // last bar may be all the others, and is named if there is room.
    const rest = odds.mean ? Infinity : count - 1;
    const bare = (/** @type {number} */ at) => at === rest ? here >= 0 && rest - here < every : (at - Math.max(0, here)) % every || rest - at < every;
    keep(odds.bars.map(([text, p, percent], at) =>
      ({ text, p: `${p / most}`, percent, className: at === here ? "dd-here" : bare(at) ? "dd-mute" : "" })));
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
    setTimeout(put, 5 * REST, said);
  }, { ariaLabel: `Copy ${label}` });
  return { node: h("div", {}, h("label", { htmlFor: id }, label), said, copy, area), show: (text) =>
    area.value === text || set(area, { value: text, rows: Math.min(12, text.split("\n").length) }) };
};

// What a game's own panel lays on the table.
/** @type {Laid} */
const laid = (press) => {
  const note = h("b"), gauges = h("div", { className: "dd-gauges" }), plays = h("div", { className: "dd-do" });
  const dice = tray((at) => press({ die: at + 1 }), ({ sides, face, state, pressed }, at) =>
    [[sides, face, state], `Die ${at + 1} showing ${face}${state && `, ${state}`}${pressed && `, to ${pressed}`}`, !!pressed, pressed || state, !!state]);
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
    gauges.replaceChildren(...table.gauges.map(({ label, value, of: max }) => {
      const known = max !== null;
      return h("p", {}, label, known ? h("meter", { max, value, ariaLabel: label }) : "", h("b", {}, known ? `${value} of ${max}` : `${value}`));
    }));
  } };
};

// The last roll: its dice, what it gave, and how.
/** @type {Told} */
const told = () => {
  const status = h("p", { role: "status", className: "dd-unseen" }), caption = h("p");
  const thrown = h("div", { role: "list", ariaLabel: "Dice", className: "dd-thrown" }), working = h("div", { className: "dd-outcome" });
  let shown = "", timer = 0;
  return {
    nodes: [status, caption, thrown, working],
    tumble(on) {
      clearTimeout(timer);
      // Dice that still settle from the roll before would hold this one up.
      thrown.classList.remove(on ? "dd-settle" : "dd-tumble");
      if (on) timer = setTimeout(() => thrown.classList.add("dd-tumble"), TUMBLE);
    },
    show(now) {
      const { sentence = "No roll yet.", html = "", dice = [], more = 0 } = now ?? {};
      if (shown === sentence + html) return;
      // What is there from the beginning does not move.
      thrown.classList.toggle("dd-settle", !!shown);
      thrown.classList.toggle("dd-many", dice.length >= MANY);
      shown = sentence + html;
      thrown.replaceChildren(...dice.map((die) => set(drawn(die), { role: "listitem" })), more ? `and ${more} more` : "");
      thrown.hidden = !dice.length;
      changing(working, () => (working.innerHTML = html), "summary");
      put(status, sentence);
      put(caption, now ? `Roll ${now.roll}${now.label && ` · ${now.label}`}` : sentence);
    },
  };
};

/** @type {Remembered} */
const remembered = (recall) => {
  const list = h("ol", { role: "list" }), settle = rove(list);
  const node = h("details", { open: true, hidden: true, className: "dd-past" }, h("summary", {}, "History"), list);
  /** @type {Map<string, HTMLElement>} */
  let known = new Map();
  const entry = (/** @type {Rolled} */ { roll, headline, label, seed }) => {
    const node = button("", () => recall(roll));
    node.append(h("span", {}, `${roll} `), h("b", {}, headline), h("span", {}, ` ${label} `), h("small", {}, `seed ${seed}`));
    return h("li", {}, node);
  };
  return { node, show: (rolls) => changing(list, () => {
    // A roll keeps its node wherever it comes to stand: most of a long history is as it was.
    const before = known;
    known = new Map(rolls.map((one) => {
      const key = JSON.stringify(one);
      return [key, before.get(key) ?? entry(one)];
    }));
    for (const [key, gone] of before) if (!known.has(key)) gone.remove();
    [...known.values()].forEach((one, at) => list.children[at] === one || list.insertBefore(one, list.children[at] ?? null));
    settle();
    node.hidden = !rolls.length;
  }) };
};

// What is said to Python: one message at a time, which carries all that was changed here and is not answered yet.
/** @type {Talking} */
const talking = (model, view, { dead, waits, lands }) => {
  /** @type {Map<string, Changed>} */
  const changed = new Map(), queue = /** @type {object[]} */ ([]);
  let n = 0, flying = 0, judged = false, patience = 0, debounce = 0;

  const send = () => {
    if (flying || dead()) return;
    const what = queue.shift() ?? ([...changed.values()].some((one) => !one.sent) && { do: "set" });
    if (!what) return;
    const message = /** @type {any} */ ({ ...what, view, n: (flying = ++n), texts: {}, parts: {} });
    for (const one of changed.values()) {
      one.sent = n;
      (message[one.place] ?? message)[one.name] = one.value;
    }
    judged = /roll|press/.test(message.do);
    waits(judged, false);
    patience = setTimeout(waits, PATIENCE, judged, true);
    try {
      model.send(message);
    } catch (error) {
      land(`This could not be sent. ${error}`);
    }
  };
  const land = (failed = "") => {
    clearTimeout(patience);
    for (const [key, one] of changed) if (one.sent) changed.delete(key);
    flying = 0;
    lands(judged, failed);
    send();
  };
  return {
    // What was changed here is newer than what Python says of it.
    holds: (key) => changed.has(key),
    change(key, place, name, value) {
      changed.set(key, { place, name, value, sent: 0 });
      clearTimeout(debounce);
      debounce = setTimeout(send, 30);
    },
    ask: (what, more = {}) => dead() || (queue.push({ do: what, ...more }), send()),
    answered: (answer) => flying && answer.for[view] === flying && land(answer.failed),
  };
};

/** @type {Render} */
export const render = ({ model, el }, css, hash = "dicedocs", front, given) => {
  if (css && !document.getElementById(hash)) document.head.append(h("style", { id: hash }, css));
  const form = given ?? model.get("_form"), { parts } = model.get("_state");
  // Stands in ids too: one panel may stand in a page twice.
  const view = `dd${Math.random().toString(36).slice(2)}`;
  shapes = form.shapes;

  const notice = h("p", { role: "alert", className: "dd-notice" });
  const dead = () => front?.comm_live === false;
  const { holds, change, ask, answered } = talking(model, view, {
    dead,
    waits(judged, long) {
      result.tumble(judged);
      if (long) put(notice, "Waiting for Python…");
    },
    lands(judged, failed) {
      put(notice, failed);
      result.tumble(false);
      draw();
      if (judged) for (const one of complaints) one.speak(true);
    },
  });

  const whole = complaint(`${view}-wrong`), complaints = [whole];
  /** @param {Field} field @param {string} place @param {(state: State) => [value: any, mistake?: Mistake | null]} of */
  const lay = (field, place, of) => {
    const { name, help } = field, key = `${place}.${name}`, id = `${view}-${key}`, about = complaint(`${id}-wrong`);
    const tell = (/** @type {any} */ value) => change(key, place, name, key === ".lock" ? value === "true" : value);
    const meant = h("p", { id: `${id}-help`, className: "dd-help" }, help);
    const { node, input, show } = named(field, id, tell, meant, ...about.nodes);
    (input ?? node).setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
    node.addEventListener("focusout", () => about.speak());
    complaints.push(about);
    return { node, show(/** @type {State} */ state) {
      if (holds(key)) return;
      const [value, mistake] = of(state);
      show(value, state);
      about.show(mistake);
      if (input) set(input, { ariaInvalid: !!mistake });
    } };
  };
  const fields = form.fields.map((field) => {
    const { name } = field, place = name in parts ? "parts" : "texts";
    return lay(field, place, (state) => [state[place][name], state.errors[name]]);
  });
  const [label, seed, lock] = OWN;
  const own = [lay(label, "", (state) => [state.label]), lay(seed, "", (state) => [state.seed, state.seed_error]), lay(lock, "", (state) => [`${state.lock}`])];
  own[0].node.classList.add("dd-wide");
  own[1].node.classList.add("dd-is-seed");
  own[1].node.children[1].after(button("Next", () => ask("next-seed"), { ariaLabel: "Next seed" }));

  const result = told(), odds = charted(`${view}-.odds`, (fact) => ask("odds-of", { fact }), form.facts), table = laid((what) => ask("press", what));
  // Enter in a box presses the first button that submits; a form that is sent is costlier than one that is not.
  const roll = h("button", { className: "dd-main", onclick: () => (enter(), false) }, "Roll"), undo = button("Undo", () => ask("undo")), clear = button("Clear", () => ask("clear"));
  const history = remembered((roll) => ask("recall", { roll }));
  /** @type {["code" | "directive" | "directive_rst", string][]} */
  const forms = [["code", "Python"], ["directive", "Markdown"], ["directive_rst", "reStructuredText"]];
  const takes = forms.map(([name, label]) => ({ name, ...taken(`${view}-.${name}`, label) }));
  const away = h("details", { className: "dd-away", ontoggle: () => take() }, h("summary", {}, "Code and directive"), ...takes.map((one) => one.node));

  // Only where they are seen: a browser that fills in forms looks through all of it at each box that is set.
  const take = () => away.open && takes.forEach((one) => one.show(model.get("_state")[one.name]));
  const enter = () => {
    const main = model.get("_state").table?.plays.find((play) => play.main && play.can);
    if (!roll.hidden) ask("roll");
    else if (main) ask("press", { play: main.id });
  };
  const pane = h("form", {}, table.node,
    h("div", { className: "dd-fields" }, ...fields.map((one) => one.node)), ...whole.nodes,
    h("div", { className: "dd-do" }, roll, undo, clear),
    h("div", { className: "dd-fields" }, ...own.map((one) => one.node)), h("p", { className: "dd-keys" }, KEYS));
  const body = h("div", { className: "dd-body" }, pane, h("div", {}, ...result.nodes, odds.node, history.node));
  const root = h("div", { className: "dd-panel", role: "group", ariaLabel: `${form.id.replace("/", ": ")} panel` },
    h("div", {}, h("b", {}, form.title), form.help), notice, body, away);
  root.onkeydown = (event) => {
    const at = /** @type {HTMLElement} */ (event.target), control = event.ctrlKey || event.metaKey;
    const undoing = control && event.key === "z", entering = event.key === "Enter";
    if (undoing && !at.matches("textarea, input:not([type])")) undo.click();
    if (entering && at.matches("form select")) enter();
    if (entering && event.repeat) event.preventDefault();
    // A notebook would take the rest: d d on a focused button deletes the cell.
    if (undoing || (!control && !event.altKey)) event.stopPropagation();
    if (event.key === "Escape") quiet(true);
  };
  // What a field is for is shown above it, until somebody types.
  const quiet = (/** @type {boolean} */ on) => root.classList.toggle("dd-quiet", on);
  root.oninput = () => quiet(true);
  root.onpointerover = () => quiet(false);
  root.addEventListener("focusin", () => quiet(false));

  const draw = () => {
    const state = model.get("_state"), { can } = state;
    for (const one of [...fields, ...own, table]) one.show(state);
    whole.show(state.error);
    result.show(state.outcome);
    odds.show(state.odds);
    take();
    roll.hidden = !!state.table;
    away.hidden = !state.code;
    set(undo, { ariaDisabled: !can.undo });
    set(clear, { ariaDisabled: !can.clear });
    if (!dead()) return;
    root.classList.add(front?.saved ? "dd-saved" : "dd-dead");
    put(notice, front?.saved ? SAVED : DEAD);
    for (const one of body.querySelectorAll("button")) one.ariaDisabled = "true";
  };
  // Later than the change of state before it, which a widget manager applies in turns of its own.
  const hear = (/** @type {any} */ answer) => setTimeout(() => {
    if (answer.history) history.show(answer.history);
    answered(answer);
  });

  model.on("change:_state", draw);
  model.on("msg:custom", hear);
  front?.on("comm_live_update", draw);
  draw();
  el.append(root);
  ask("history");
  return () => {
    model.off("change:_state", draw);
    model.off("msg:custom", hear);
    front?.off("comm_live_update", draw);
    root.remove();
  };
};
