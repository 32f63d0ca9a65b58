// The buttons of the examples of a page. What they show is made by Python, in a worker; the texts come with the page.

/** @typedef {{ html: string, sentence: string, seed: string, link: string, error?: string }} Rolled */

const NARROW = 150; // ms that a pointer stays on a button before Python is loaded for it
const HEARD = 10_000; // ms until progress is spoken again
const LATER = 1000; // ms after Python has started, when the first roll is there, until the book is kept

/** @typedef {(name: string, others?: string[], digests?: Record<string, string>) => Promise<any>} Load loads a module, if it and others are those that were built */
/** @typedef {() => Promise<import("./python.mjs").Python>} Start returns Python, whose script is loaded when it is first needed */

/**
 * @param {{ texts: Record<string, string>, version: string, offline: boolean, manifest: string, integrity: Record<string, string> }} book
 * @param {Load} load
 */
export const start = async (book, load) => {
  const { texts, version, offline } = book;
  const status = h("p", { className: "dice-status", role: "status" });
  document.body.append(status);
  const controlled = navigator.serviceWorker?.controller;
  const keep = async () => {
    if (controlled || (offline && navigator.serviceWorker)) (await load(`offline.mjs?v=${version}`)).keep(offline);
  };
  if (controlled) keep();
  /** @type {Promise<import("./python.mjs").Python> | undefined} */
  let started;
  // With the version in each address, no browser mixes old modules with new ones.
  const worker = () => (started ??= load(`python.mjs?v=${version}`).then(({ python }) =>
    python(new URL(`worker.mjs?v=${version}`, import.meta.url), book, () => setTimeout(keep, LATER))));
  document.querySelectorAll("[data-dice-roll]").forEach((roll, index) =>
    inline(/** @type {HTMLElement} */ (roll), `roll ${index}`, { texts, worker, status }));
  const examples = [...document.querySelectorAll("[data-dice]")].map((printed, index) =>
    playable(/** @type {HTMLElement} */ (printed), `${index}`, { texts, worker, status, load, version }));

  // #name?seed=7 opens a page with that roll.
  const open = () => {
    const [, name, link] = /^#([\w-]+)\?(.*)$/s.exec(location.hash) ?? [];
    examples.find((one) => one.name === name)?.open(link);
  };
  addEventListener("hashchange", open);
  open();
};

/** @param {string} tag @param {object} [properties] @param {(Node | string)[]} children @returns {any} */
const h = (tag, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
};

/** @param {string} text @param {Record<string, unknown>} values */
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => `${values[name] ?? all}`);

/**
 * Returns what shows how far something is, and speaks it from time to time.
 * @param {HTMLElement} status
 * @param {(text: string) => void} show
 */
const spoken = (status, show, last = -Infinity) => (/** @type {string} */ text) => {
  show(text);
  if (performance.now() - last < HEARD) return;
  last = performance.now();
  status.textContent = text;
};

/**
 * Adds the buttons of an example.
 * @param {HTMLElement} printed the outcome of the book
 * @param {string} key by which the worker knows it; its name may be that of another one in a book of a single page
 * @param {{ texts: Record<string, string>, worker: Start, status: HTMLElement, load: Load, version: string }} page
 */
const playable = (printed, key, { texts, worker, status, load, version }) => {
  const { name, example, told, chance, odds } = JSON.parse(printed.dataset.dice ?? ""), { title } = example;
  const button = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", onclick, ariaLabel: title ? `${texts[key]} ${title}` : texts[key] }, texts[key]);

  /** @type {Element} */
  let shown = printed;
  let busy = false, link = "", warming = 0;
  /** @type {null | (() => void)} */
  let closePanel = null;
  const panel = h("div", { className: "dice-panel", hidden: true });
  const notice = h("span", { className: "dice-notice" });
  const say = (/** @type {string} */ text, failed = false) => {
    notice.textContent = text;
    notice.classList.toggle("dice-failed", failed);
  };

  const sayFailed = (/** @type {Error} */ { message }) => {
    say(message, true);
    status.textContent = message;
  };

  const run = async (/** @type {() => Promise<void>} */ action) => {
    if (busy) return;
    busy = true;
    bar.ariaBusy = "true";
    let stop = () => {};
    try {
      stop = (await worker()).onProgress(spoken(status, say));
      await action();
    } catch (error) {
      sayFailed(/** @type {Error} */ (error));
    } finally {
      stop();
      busy = false;
      bar.ariaBusy = "false";
    }
  };
  const ask = async (/** @type {{ do: string, link?: string }} */ message) => (await worker()).ask({ key, example, link: "", ...message });
  const show = (/** @type {Element} */ outcome) => {
    // What the reader had unfolded stays so.
    const folds = shown.matches("details") ? [shown] : [...shown.querySelectorAll("details")];
    const now = outcome.matches("details") ? [outcome] : [...outcome.querySelectorAll("details")];
    now.forEach((one, index) => one.toggleAttribute("open", folds[index]?.hasAttribute("open") ?? false));
    shown.replaceWith(outcome);
    shown = outcome;
  };
  const draw = () => {
    const played = shown !== printed, changing = !panel.hidden;
    shown.toggleAttribute("hidden", changing && !odds);
    roll.hidden = changing || !chance;
    change.hidden = changing;
    back.hidden = !(played || changing);
    copy.hidden = !link;
  };

  const rollNow = (from = "") => run(async () => {
    const rolled = /** @type {Rolled} */ (await ask({ do: "roll", link: from }));
    const made = document.createElement("template");
    made.innerHTML = rolled.html;
    show(/** @type {Element} */ (made.content.firstElementChild));
    ({ link } = rolled);
    say([fill(texts.rolled, { seed: rolled.seed }), ...(told ? [texts.told] : [])].join(" "));
    status.textContent = rolled.sentence;
    draw();
  });
  const changeNow = (from = "") => run(async () => {
    const opened = await ask({ do: "open", link: from });
    const { mount } = await load(`panel_host.mjs?v=${version}`);
    const linked = (/** @type {string} */ now) => {
      link = now;
      say(link && told && !odds ? texts.told : "");
      draw();
    };
    closePanel?.();
    closePanel = await mount(panel, opened, ask, linked, load, (await worker()).integrity());
    panel.hidden = false;
    linked(opened.link);
    /** @type {HTMLElement | null} */ (panel.querySelector(".dd-panel"))?.focus({ preventScroll: true });
  });
  const stopChanging = () => {
    closePanel?.();
    closePanel = null;
    panel.hidden = true;
    draw();
  };

  const roll = button("roll", () => rollNow()), change = button("change", () => changeNow());
  const back = button(odds ? "close" : "back", () => {
    link = "";
    say("");
    stopChanging();
    show(printed);
    draw();
    (chance ? roll : change).focus();
  });
  const copy = button("copy", async () => {
    const url = new URL(location.href);
    url.hash = `${name}?${link}`;
    // In the address of the page too, for a browser that does not let a page copy.
    history.replaceState(null, "", url);
    await navigator.clipboard?.writeText(url.href).then(() => say(texts.copied), () => {});
  });
  const first = h("span", { className: "dice-start" }, roll, change);
  const bar = h("div", { className: "dice-play", role: "group", ariaLabel: title || texts.roll }, first, back, copy, notice);
  // Who is about to press waits less: a pointer that only passes loads nothing.
  const warm = () => {
    clearTimeout(warming);
    warming = setTimeout(() => /** @type {any} */ (navigator).connection?.saveData || worker().then((python) => python.start(), () => {}), NARROW);
  };
  for (const one of [roll, change]) {
    one.addEventListener("pointerenter", warm);
    one.addEventListener("focus", warm);
    for (const event of ["pointerleave", "blur"]) one.addEventListener(event, () => clearTimeout(warming));
  }
  // The text around it is about the book's roll, and on paper nothing tells the two apart.
  addEventListener("beforeprint", () => {
    shown.replaceWith(printed);
    printed.hidden = false;
  });
  addEventListener("afterprint", () => {
    printed.replaceWith(shown);
    draw();
  });
  draw();
  printed.after(panel, bar);
  return {
    name,
    open(/** @type {string} */ from) {
      (bar.closest(".dice-example, .dice-odds, figure") ?? bar).scrollIntoView();
      const changes = odds || !panel.hidden || [...new URLSearchParams(from).keys()].some((key) => key !== "seed");
      return changes ? changeNow(from) : rollNow(from);
    },
  };
};

/**
 * Adds the button of a roll in a sentence, and, once it was rolled, the one back.
 * @param {HTMLElement} roll
 * @param {string} key by which the worker knows it
 * @param {{ texts: Record<string, string>, worker: Start, status: HTMLElement }} page
 */
const inline = (roll, key, { texts, worker, status }) => {
  const { example } = JSON.parse(roll.dataset.diceRoll ?? ""), printed = roll.textContent ?? "";
  const text = h("span", {}, printed);
  const small = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", ariaLabel: `${label} ${example.title}`, title: label, onclick }, sign);
  let shown = printed;
  const note = h("small", { className: "dice-notice", hidden: true }, texts.told);
  const show = (/** @type {string} */ now) => ((text.textContent = shown = now), (note.hidden = back.hidden = now === printed));
  const again = small("\u21bb", texts.roll, async () => {
    if (again.ariaBusy === "true") return;
    again.ariaBusy = "true";
    let stop = () => {};
    try {
      const python = await worker();
      stop = python.onProgress(spoken(status, (now) => (again.title = now || texts.roll)));
      const rolled = await python.ask({ do: "roll-text", key, example });
      show(rolled.text);
      status.textContent = rolled.sentence;
    } catch (error) {
      status.textContent = again.title = /** @type {Error} */ (error).message;
    }
    stop();
    again.ariaBusy = "false";
  });
  const back = small("\u00d7", texts.back, () => (show(printed), again.focus()));
  back.hidden = true;
  addEventListener("beforeprint", () => (text.textContent = printed));
  addEventListener("afterprint", () => (text.textContent = shown));
  roll.replaceChildren(text, again, back, note);
};
