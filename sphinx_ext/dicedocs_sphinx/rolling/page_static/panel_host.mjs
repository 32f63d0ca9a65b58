// Shows the panel of the notebooks in a page: a stand-in for the model of a widget, behind which is the worker.

const STYLE_WAIT = 10_000; // ms until the panel is shown without its styles

/** @import { Played, Site } from "./story.mjs" */
/** @import { Python } from "./python.mjs" */

/**
 * Opens the panel of an example.
 * @param {Python} python
 * @param {Site} site
 * @param {Played} played
 * @param {HTMLElement} el where it is put
 * @param {string} from the link of the roll with which it opens; empty for the one that is shown
 * @param {string} link that of the roll that is shown
 * @param {null | (() => void)} close what closes the panel that was there
 * @param {(link: string) => void} show called with the link of the roll that the panel shows
 * @returns {Promise<() => void>} what removes it
 */
export const openPanel = async (python, { load, version, examples }, played, el, from, link, close, show) => {
  const { key, example, text, beat, odds } = played;
  const ask = (/** @type {object} */ message) => python.ask({ key, example, text, link: "", do: "", ...message });
  const story = beat && await load(`story.mjs?v=${version}`);
  const opened = await ask({ do: "open", link: from || link, beats: story?.beatsOf(examples, played) });
  const linked = (/** @type {any} */ answer) => {
    const before = link;
    show(link = answer.link);
    if (odds) return;
    if (!story) played.tell(text.key, answer);
    else if (link !== before) story.tell(python, examples, played, null).catch((/** @type {Error} */ { message }) => played.say(message, true));
  };
  close?.();
  const remove = await mount(el, opened, ask, linked, load, python.integrity());
  el.hidden = false;
  linked(opened);
  /** @type {HTMLElement | null} */ (el.querySelector(".dd-panel"))?.focus({ preventScroll: true });
  return remove;
};

/**
 * @param {HTMLElement} el
 * @param {{ form: { fields: any[] }, state: any, counting: boolean }} opened
 * @param {(message: object) => Promise<any>} ask
 * @param {(answer: any) => void} linked called with what Python says of the last roll
 * @param {(name: string, others?: string[], digests?: Record<string, string>) => Promise<any>} load
 * @param {Record<string, string>} integrity of the files of the site
 * @returns {Promise<() => void>} what removes it
 */
const mount = async (el, opened, ask, linked, load, integrity) => {
  const name = `panel-${new URL(import.meta.url).searchParams.get("v")}/`, folder = new URL(name, import.meta.url);
  const modules = Object.keys(integrity).filter((one) => one.startsWith(name) && one.endsWith(".mjs"));
  const { render } = await load(`${name}panel.mjs`, modules, integrity);
  if (!document.querySelector("link[data-dice-panel]")) {
    // Unstyled it would jump.
    await Promise.all(["panel.css", "controls.css"].map((sheet) => new Promise((resolve) => {
      const link = Object.assign(document.createElement("link"), {
        rel: "stylesheet", href: folder + sheet, integrity: integrity[name + sheet] ?? "", onload: resolve, onerror: resolve,
      });
      setTimeout(resolve, STYLE_WAIT);
      link.dataset.dicePanel = "";
      document.head.append(link);
    })));
  }

  let { state } = opened, counting = false, gone = false;
  /** @type {Record<string, Set<(content?: any) => void>>} */
  const listeners = {};
  const emit = (/** @type {string} */ event, /** @type {any} */ content) => listeners[event]?.forEach((call) => call(content));
  const take = (/** @type {any} */ answer) => {
    if (gone) return;
    ({ state } = answer);
    emit("change:_state", state);
    hideUnused();
    if (answer.answer) emit("msg:custom", answer.answer);
    linked(answer);
    count(answer.counting);
  };
  // A player is shown the values that a notation takes; the rest comes with More.
  const hideUnused = () => {
    const { fields } = opened.form, rows = el.querySelectorAll(".dd-is-resources");
    fields.filter(({ control }) => control.kind === "resources").forEach(({ name }, index) => {
      const taken = fields.flatMap(({ name: own, control: { references } }) =>
        references ? [[references[name] ?? "", state.texts[own]?.toLowerCase() ?? ""]] : []);
      if (taken.length) rows[index]?.querySelectorAll(".dd-rows > div > fieldset").forEach((row, at) =>
        row.classList.toggle("dd-unused", !taken.some(([pattern, text]) => text.includes(pattern.replace("{name}", state.parts[name][at]?.name).toLowerCase()))));
    });
  };
  // The odds are counted bit by bit, so that whatever is pressed meanwhile is answered first.
  const count = async (/** @type {boolean} */ left) => {
    if (!left || counting || gone) return;
    counting = true;
    try {
      const answer = await ask({ do: "count" });
      counting = false;
      take(answer);
    } catch (error) {
      counting = false;
      // The panel stays as it is, apart from its odds.
      const { message } = /** @type {Error} */ (error);
      state = { ...state, odds: { ...state.odds, state: "refused", message } };
      emit("change:_state", state);
    }
  };
  // Of the game, with as much contrast as a button needs, light or dark; a theme may have none.
  const own = getComputedStyle(el).getPropertyValue("--dice-accent").trim();
  const accent = own === "currentColor" ? "" : "color-mix(in srgb, var(--dice-accent) 80%, var(--ink))";
  const model = {
    get: (/** @type {string} */ name) => ({ _form: opened.form, _state: state, _accent: accent })[name],
    on: (/** @type {string} */ event, /** @type {any} */ call) => (listeners[event] ??= new Set()).add(call),
    off: (/** @type {string} */ event, /** @type {any} */ call) => listeners[event]?.delete(call),
    send: (/** @type {{ view: string, n: number }} */ message) => ask({ do: "panel", message }).then(take, (/** @type {Error} */ error) =>
      emit("msg:custom", { for: { [message.view]: message.n }, failed: error.message })),
  };
  const remove = render({ model, el }, "", "", { comm_live: true, on() {}, off() {} });
  hideUnused();
  // A theme with no colours of its own for the panel may be light although the reader prefers dark.
  const style = getComputedStyle(el), root = /** @type {HTMLElement | null} */ (el.querySelector(".dd-panel"));
  if (root && style.color.startsWith("rgb") && !style.getPropertyValue("--color-background-primary")) {
    const [red, green, blue] = (style.color.match(/[\d.]+/g) ?? []).map(Number);
    root.style.colorScheme = red + green + blue > 382 ? "dark" : "light";
  }
  count(opened.counting);
  return () => {
    gone = true;
    remove();
    el.replaceChildren();
  };
};
