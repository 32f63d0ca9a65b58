// Makes the examples of a page playable: by a deck of rolls until Python is there, and from a file, where no browser loads
// modules, by that alone.

/** @import { Book, Deal, Load, Played, Rolled, Site } from "./story.mjs" */
/** @import { Python } from "./python.mjs" */

(() => {
const SECONDS = 60; // within which a module must come
const NARROW = 150; // ms that a pointer rests on a button before something is loaded for it
const LATER = 1000; // ms after Python has started, when the first roll is there, until the book is kept
const DIE = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l9 5v10l-9 5-9-5V7zv5M3 17l4-2 5-8 5 8 4 2M7 15h10"/></svg>';

const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const at = (/** @type {string} */ name) => new URL(name, script.src).href;
/** @type {Book} */
const book = JSON.parse(script.dataset.dicedocs ?? "{}");
const hosted = book.manifest && location.protocol.startsWith("http");

/** @returns {Load} */
const loader = () => {
  const check = (/** @type {string} */ name, /** @type {string} */ integrity) => new Promise((resolve, reject) => {
    const href = at(name), changed = Error(fill(book.texts.changed, { file: name }));
    const link = h("link", { rel: "modulepreload", href, integrity, onload: resolve });
    link.onerror = () => fetch(href, { method: "HEAD" }).then(({ ok, status }) =>
      reject(ok ? changed : Error(`${name}: ${status}`)), reject);
    if (!integrity) reject(changed);
    else if (link.relList.supports("modulepreload")) document.head.append(link);
    else resolve(null);
  });
  /** @type {Record<string, Promise<any>>} */
  const checks = {};
  // A server may accept and never answer.
  const late = () => new Promise((_, reject) =>
    setTimeout(reject, SECONDS * 1000, Error(fill(book.texts.ended, { seconds: SECONDS }))));
  // A module is checked by its link, which loads it, and those it imports by theirs; the import finds them there.
  return (name, others = [], digests = book.integrity) => Promise.race([late(),
    Promise.all([name, ...others].map((one) => (checks[one] ??= check(one, digests[one])))).then(() => import(at(name)))]);
};

/** @returns {Deal} */
const dealer = () => {
  /** @type {Promise<Record<string, Rolled[]>> | undefined} */
  let deck;
  const open = () => (deck ??= new Promise((resolve) => {
    const made = () => resolve(/** @type {any} */ (globalThis).dicedocsDeck ?? {});
    if (!book.deck) return resolve({});
    document.head.append(h("script", { src: at(book.deck), onload: made, onerror: made }));
  }));
  return async (key, link = "") => {
    const rolls = (await open())[key] ?? [];
    const index = link ? rolls.findIndex((one) => one.link === link) : Math.floor(Math.random() * rolls.length);
    const [dealt] = index < 0 ? [] : rolls.splice(index, 1);
    return dealt && { ...dealt, last: !rolls.length };
  };
};

const start = () => {
  const { texts, version, offline } = book;
  const status = h("p", { className: "dice-status", role: "status" });
  document.body.append(status);
  const load = loader();
  const served = hosted && "WebAssembly" in window;
  const missing = !book.manifest ? texts.no_python : hosted ? texts.no_wasm : texts.no_server;
  const keeps = offline && navigator.serviceWorker;
  const controlled = served && navigator.serviceWorker?.controller;
  const keep = async () => {
    if (controlled || keeps) (await load(`offline.mjs?v=${version}`)).keep(offline);
  };
  if (controlled) keep();
  /** @type {Promise<Python> | undefined} */
  let started;
  /** @type {Python | undefined} */
  let running;
  // The service worker keeps what Python loads for the first time, and clears away what has this name.
  const cache = keeps && !controlled ? `dicedocs ${at("../../")} loaded` : "";
  const beats = () => site.examples.filter(({ beat, odds }) => beat && !odds);
  /** @type {Site["link"]} */
  const link = (seen) => {
    const rolled = beats().filter(({ own }) => own), parts = [seen, ...rolled.filter((one) => one !== seen)];
    return rolled.length ? `#${parts.map(({ name, own }) => `${name}?${own}`).join(";")};rules=${book.rules}` : "";
  };
  let address = "";
  /** @type {Site["remember"]} */
  const remember = (seen, id) => {
    if (!served) return;
    address = link(seen);
    history.replaceState(null, "", address || `#${id}`);
  };
  // The version in each address keeps old modules apart from new ones.
  const worker = () => (started ??= load(`python.mjs?v=${version}`).then(({ python }) =>
    (running = python(at(`worker.mjs?v=${version}`), book, cache, () => setTimeout(keep, LATER)))));
  /** @type {Site} */
  const site = { texts, missing, worker: served ? worker : null, ready: () => Boolean(running?.ready()), deal: dealer(), status, load, version, examples: [], link, remember };
  all("[data-dice-roll]").forEach((roll, index) => inline(roll, `roll ${index}`, site));
  site.examples = all("[data-dice]").map((printed, index) => playable(printed, `${index}`, site));

  // #name?seed=7 opens a page with that roll; #name?seed=7;other?seed=8;rules=1b2c with a story.
  const open = (/** @type {string} */ hash, scroll = true) => {
    const [first = "", ...rest] = hash.slice(1).split(";"), [name, from] = first.split(/\?(.*)/s);
    const opened = site.examples.find((one) => one.name === name);
    if (!opened || from === undefined || hash === address) return;
    if (!rest.length || !opened.beat) return void opened.open(from, "", scroll);
    const rules = rest.pop(), rolls = new Map([first, ...rest].map((part) => /** @type {[string, string]} */ (part.split("?"))));
    const known = new Set(beats().map(({ name }) => name)), whole = [...rolls.keys()].every((name) => known.has(name));
    for (const one of beats()) {
      one.restore();
      one.own = rolls.get(one.name) ?? "";
    }
    opened.open(from, whole && rules === `rules=${book.rules}` ? "same" : "changed", scroll);
  };
  addEventListener("hashchange", () => {
    const { hash } = location;
    // Elsewhere on the page, the story is beside the address.
    if (address && !hash.includes("?")) history.replaceState({ dicedocs: address }, "");
    open(hash);
  });
  const { hash } = location;
  if (hash.includes("?")) open(hash);
  else open(history.state?.dicedocs ?? "", false);
};

/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => [.../** @type {any} */ (document.querySelectorAll(selector))];

/** @param {string} tag @param {object} [properties] @param {(Node | string)[]} children @returns {any} */
const h = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

/** @param {string} text @param {Record<string, unknown>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => `${values[name] ?? all}`);

/** @type {Map<string, Partial<Rolled>>} the reader's rolls, by the keys of their blocks */
const told = new Map();
const fillText = (rolls = told) => {
  for (const element of all("[data-dice-of]")) {
    const { dataset, classList } = element, keys = JSON.parse(dataset.diceOf ?? "");
    // What did not happen has no facts of its own, only those of its scene.
    const books = keys.some((/** @type {string} */ key, /** @type {number} */ index) => {
      const { facts, missed } = rolls.get(key) ?? {};
      return facts === null || (missed && (index > 0 || !(facts && (dataset.diceFact ?? "") in facts)));
    });
    const printed = (dataset.diceBook ??= element.innerHTML), own = rolls.get(keys[0])?.facts?.[dataset.diceFact ?? ""];
    element.innerHTML = !books ? own ?? printed : dataset.diceFact ? printed : book.texts.told;
    classList.toggle("dice-books", books);
  }
  dispatchEvent(new CustomEvent("dice-told", { detail: rolls }));
};
const nothing = { facts: null }; // what is told of a roll that is not there yet
/** @type {Played["tell"]} */
const tell = (key, rolled) => {
  if (rolled) told.set(key, rolled);
  else told.delete(key);
  fillText();
};
addEventListener("beforeprint", () => fillText(new Map()));
addEventListener("afterprint", () => fillText());

const saves = () => (/** @type {any} */ (navigator)).connection?.saveData;

// Starts Python, unless its reader pays for data.
/** @param {Site["worker"]} worker */
const begin = (worker) => {
  if (worker && !saves()) worker().then((python) => python.start(), () => {});
};

/** @typedef {(python: Python) => Promise<void>} Action */

// Lets Python do something, unless it is busy, and shows how far it is.
/** @param {Site} site @param {HTMLElement} bar @param {(text: string) => void} show @param {Action} action @param {(error: Error) => void} fail */
const work = async ({ worker, status }, bar, show, action, fail) => {
  if (bar.ariaBusy === "true" || !worker) return;
  bar.ariaBusy = "true";
  let stop = () => {};
  try {
    const python = await worker();
    stop = python.onProgress(show, status);
    await action(python);
  } catch (error) {
    fail(/** @type {Error} */ (error));
  }
  stop();
  bar.ariaBusy = "false";
};

// Adds the buttons of an example. The worker knows it by its key, since names may come twice.
/** @param {HTMLElement} printed @param {string} key @param {Site} site */
const playable = (printed, key, site) => {
  const { texts, missing, worker, ready, deal, status, load, version } = site;
  const { name, example, text, of, chance, odds, table, beat, asks = [] } = JSON.parse(printed.dataset.dice ?? ""), { title } = example;
  const named = (/** @type {string} */ key) => ({ textContent: texts[key], title: texts[key], ariaLabel: `${texts[key]} ${title}`.trim() });
  const button = (/** @type {string} */ key, /** @type {string} */ className, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", className, onclick, ...named(key) });

  /** @type {Element} */
  let shown = printed;
  const box = printed.closest(".dice-example, figure, .dice-below-table");
  let pressed = false, link = "", asked = "", warming = 0, dealtRolls = 0, awaited = 0, spent = "";
  /** @type {null | (() => void)} */
  let closePanel = null;
  const panel = h("div", { className: "dice-panel", hidden: true });
  const notice = h("span", { className: "dice-notice" });
  const say = (/** @type {string} */ text, failed = false) => {
    notice.textContent = text;
    notice.className = `dice-notice ${failed ? "dice-failed" : ""}`;
    if (failed) status.textContent = text;
  };
  const run = (/** @type {Action} */ action) => work(site, bar, say, action, ({ message }) => say(message, true));
  const show = (/** @type {Element} */ outcome) => {
    // What the reader had unfolded stays so.
    const folds = (/** @type {Element} */ one) => (one.matches("details") ? [one] : [...one.querySelectorAll("details")]);
    const before = folds(shown);
    folds(outcome).forEach((one, index) => one.toggleAttribute("open", before[index]?.hasAttribute("open") ?? false));
    shown.replaceWith(outcome);
    shown = outcome;
  };
  const draw = () => {
    const changing = !panel.hidden;
    // The panel shows its own roll, once it has one.
    shown.toggleAttribute("hidden", !odds && ((changing && Boolean(link)) || (awaited > 0 && shown === printed)));
    roll.hidden = changing || !chance;
    Object.assign(change, { ariaExpanded: `${changing}` }, named(changing ? "close" : "change"));
    back.hidden = changing || shown === printed;
    change.hidden = copy.hidden = !worker;
  };

  const play = (/** @type {Rolled} */ rolled) => {
    const outcome = h("template", { innerHTML: rolled.html }).content.firstElementChild;
    // A shorter result leaves the box as it was.
    outcome.querySelector(".dice-row")?.style.setProperty("min-height", `${shown.querySelector(".dice-row")?.getBoundingClientRect().height}px`);
    show(outcome);
    link = rolled.link ?? "";
    one.own = rolled.own ?? link;
    tell(text.key, rolled);
    say(beat && !worker ? `${texts.stays} ${missing}` : rolled.seed ? fill(texts.rolled, rolled) : link ? texts.typed : texts.story);
    notice.classList.toggle("dice-seed", !beat || worker);
    if (rolled.sentence) status.textContent = rolled.sentence;
    draw();
    // Whoever presses keys goes on with the choice.
    const ways = outcome.querySelectorAll("[data-dice-way]");
    for (const way of ways) way.onclick = () => rollNow(way.dataset.diceWay);
    if (pressed) (ways[0] ?? roll).focus({ preventScroll: true });
    pressed = false;
  };
  const scene = () => site.examples.filter((each) => each === one || (beat && each.beat?.scene === beat.scene));
  const lock = (/** @type {string} */ why) => {
    const locked = why || spent;
    roll.ariaDisabled = locked ? "true" : null;
    roll.title = locked || texts.roll;
  };
  const rollNow = async (from = "") => {
    // While Python loads, the last press of a beat is the one that is told.
    const busy = () => bar.ariaBusy === "true";
    if (busy() && (!beat || ready())) return;
    pressed = asks.length > 0 && shown.parentElement?.contains(document.activeElement) === true;
    // The deck was played with what is before it in the book; without Python it is all there is.
    const beats = scene(), another = worker && beats.slice(0, beats.indexOf(one)).some((each) => each.rolled());
    const dealt = ready() || another ? undefined : await deal(key, from);
    asked = dealt?.link ?? from;
    if (dealt) {
      dealtRolls += 1;
      play(dealt);
      begin(worker);
    }
    if (!worker && (!dealt || dealt.last)) {
      lock(spent = `${fill(texts.all_shown, { count: dealtRolls })} ${missing}`);
      say(dealt && !beat ? `${notice.textContent} ${spent}` : spent);
    }
    if (busy() || !worker || (dealt && (!beat || saves()))) return;
    await run(async (python) =>
      beat ? (await load(`story.mjs?v=${version}`)).tell(python, site.examples, one, () => asked)
        : play(await python.ask({ key, example, text, do: "roll", link: from })));
  };
  // Tells each story whose rolls are noted, from the first of them.
  const tellAll = () => run(async (python) => {
    const { tell } = await load(`story.mjs?v=${version}`);
    const firsts = site.examples.filter((each, index, all) => each.own && all.findIndex(({ own, beat }) => own && beat?.scene === each.beat?.scene) === index);
    for (const first of firsts.filter(({ beat }) => beat)) await tell(python, site.examples, first, () => first.own);
    one.remember();
  });
  const changeNow = (from = "") => run(async (python) => {
    const { openPanel } = await load(`panel_host.mjs?v=${version}`);
    closePanel = await openPanel(python, site, one, panel, from, link, closePanel, (/** @type {string} */ now) => {
      link = now;
      say("");
      draw();
    });
  });
  const restore = () => {
    closePanel?.();
    closePanel = null;
    panel.hidden = true;
    link = one.own = "";
    if (text) tell(text.key);
    lock("");
    say("");
    show(printed);
    draw();
    one.undo();
  };
  const restoreAll = () => {
    scene().forEach((each) => each.restore());
    if (beat) one.remember();
  };
  const close = () => (restoreAll(), change.focus());

  const roll = button("roll", "dice-press", () => roll.ariaDisabled === "true" ? say(roll.title) : rollNow());
  const change = button("change", "dice-change", () => (panel.hidden ? changeNow() : close()));
  const back = button(table ? "close" : "back", "dice-back", () => (restoreAll(), roll.focus()));
  roll.insertAdjacentHTML("afterbegin", DIE);
  // The panel keeps its keys to itself.
  panel.addEventListener("keydown", (/** @type {KeyboardEvent} */ { key }) => key === "Escape" && close(), true);
  const id = () => box?.closest("[id]")?.id ?? "";
  const copy = button("copy", "dice-link", () => {
    const url = new URL(location.href);
    url.hash = (beat && !odds && site.link(one)) || (link ? `${name}?${link}` : id());
    // Also in the address, where a browser lets no page copy.
    history.replaceState(null, "", url);
    navigator.clipboard?.writeText(url.href).then(() => say(status.textContent = texts.copied), () => {});
  });
  const bar = h("div", { className: "dice-play", role: "group", ariaLabel: title || texts.roll }, change, back, copy, notice, h("span", { className: "dice-told" }));
  if (of?.length) bar.lastElementChild.dataset.diceOf = JSON.stringify(of);
  // A pointer that passes or touches loads nothing.
  change.onpointerleave = change.onblur = () => clearTimeout(warming);
  change.onpointerenter = change.onfocus = () => {
    clearTimeout(warming);
    if (matchMedia("(hover: hover)").matches) warming = setTimeout(begin, NARROW, worker);
  };
  // On paper is the book.
  addEventListener("beforeprint", () => {
    shown.replaceWith(printed);
    printed.hidden = false;
  });
  addEventListener("afterprint", () => {
    printed.replaceWith(shown);
    draw();
  });
  printed.before(roll);
  printed.after(panel, bar);
  /** @type {Played} */
  const one = {
    name, key, example, text, beat, odds, own: "", undo() {}, play, restore, lock, say, tell,
    remember: () => site.remember(one, id()),
    rolled: () => shown !== printed,
    wait(more) {
      awaited += more;
      if (text && more > 0) tell(text.key, nothing);
      else if (text && told.get(text.key) === nothing) tell(text.key);
      draw();
    },
    async open(from, story, scroll) {
      if (scroll) box?.scrollIntoView();
      const changes = odds || !panel.hidden || [...new URLSearchParams(from).keys()].some((key) => !["seed", ...asks].includes(key));
      // Until they are there, nothing can be taken for them.
      const opened = story ? site.examples.filter(({ beat, own }) => beat && own) : [one];
      opened.forEach((each) => each.wait(1));
      await (story ? tellAll() : changes ? changeNow(from) : rollNow(from));
      opened.forEach((each) => each.wait(-1));
      if (story && !worker) say(`${texts.stays} ${missing}`);
      if (story === "changed") say(`${texts.other_build} ${notice.textContent}`, notice.matches(".dice-failed"));
      draw();
    },
  };
  draw();
  return one;
};

// Adds the button of a roll in a sentence, and the one back.
/** @param {HTMLElement} roll @param {string} key @param {Site} site */
const inline = (roll, key, site) => {
  const { texts, missing, worker, ready, deal, status } = site, { example } = JSON.parse(roll.dataset.diceRoll ?? ""), printed = roll.textContent ?? "";
  const text = h("span", {}, printed);
  const small = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", ariaLabel: `${label} ${example.title}`, title: label, onclick }, sign);
  let shown = printed;
  const show = (/** @type {string} */ now, own = true) => ((text.textContent = shown = now), (back.hidden = !own));
  const again = small("\u21bb", texts.roll, async () => {
    if (again.ariaBusy === "true") return;
    const dealt = ready() ? undefined : await deal(key);
    const play = (/** @type {Rolled} */ rolled) => {
      show(rolled.text);
      again.title = texts.roll;
      status.textContent = rolled.sentence;
    };
    if (dealt) return play(dealt), begin(worker);
    if (!worker) return (again.ariaDisabled = "true"), (status.textContent = again.title = missing);
    work(site, again, (now) => (again.title = now || texts.roll),
      async (python) => play(await python.ask({ do: "roll-text", key, example, link: "" })),
      ({ message }) => (status.textContent = again.title = message));
  });
  const back = small("\u00d7", texts.back, () => (show(printed, false), again.focus()));
  back.hidden = true;
  addEventListener("beforeprint", () => (text.textContent = printed));
  addEventListener("afterprint", () => (text.textContent = shown));
  roll.replaceChildren(text, again, back);
};

// ?only: one example alone, to be embedded.
if (/[?&]only\b/.test(location.search)) document.head.append(h("script", { src: at(`only.js?v=${book.version}`) }));

if (CSS.supports("selector(:has(a))") && (book.deck || hosted)) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
} else document.documentElement.classList.add("dice-still-page");
})();
