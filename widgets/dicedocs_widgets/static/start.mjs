// Starts a panel. Only what shows one is saved with a notebook, within a size limit that is tested; what plays it is sent
// by Python. Until that arrives, or where there is no Python, a panel is only shown.

/** @import { Start } from "./wire" */
import { addStyles, h } from "./elements.mjs";
import { packedModel } from "./packed_model.mjs";
import { shownPanel } from "./shown_panel.mjs";

const PATIENCE = 500; // ms in which Python usually sends the module, so that a panel does not change before the eyes

/** @type {WeakMap<object, Promise<{ render: import("./wire").Render, css: string }>>} */
const sent = new WeakMap();

/** @type {(front: any, unpacker: import("./wire").Unpacker) => Promise<{ render: import("./wire").Render, css: string }>} */
const requested = (front, { read, load }) => new Promise((resolve, reject) => {
  const receive = async (/** @type {any} */ message, /** @type {BlobPart[]} */ [bytes]) => {
    front.off("msg:custom", receive);
    const [js, css] = (await read(bytes)).split("\0");
    load(js).then(({ render }) => resolve({ render, css }), reject);
  };
  front.on("msg:custom", receive);
  front.send({ do: "module" });
});

/** @type {Start} */
export const start = async ({ model, el }, front, { css, shapes, ...unpacker }) => {
  const key = model.get("_form"), hash = front.get("hash"), { readText } = unpacker;
  const live = front.comm_live !== false;
  if (live && !sent.has(front)) sent.set(front, requested(front, unpacker));
  // A new form may arrive later than the panel.
  while (!front.get("forms")[key]) await new Promise((resolve) => front.once("change:forms", resolve));
  const form = JSON.parse(await readText(front.get("forms")[key])), texts = JSON.parse(await readText(front.get("texts")[form.language]));
  addStyles(el, hash, css);
  // A table begins with its panels.
  const removers = /** @type {(() => void)[]} */ ([]), seats = /** @type {HTMLElement[]} */ ([]);
  for (const one of model.get("_seats") ?? []) {
    const seat = h("div"), panel = await model.widget_manager.get_model(one.slice(10));
    el.append(seat);
    seats.push(seat);
    removers.push(await start({ model: panel, el: seat }, front, { css, shapes, ...unpacker }));
  }
  const own = { model: await packedModel(model, readText), el }, ownForm = { ...form, texts, shapes };
  const module = sent.get(front);
  const play = (/** @type {any} */ { render, css }) => render(own, css, `${hash}-controls`, front, ownForm, seats.length ? seats : undefined);
  const early = live && (await Promise.race([module, new Promise((resolve) => setTimeout(resolve, PATIENCE))]));
  let gone = false, remove = early ? play(early) : shownPanel(own, ownForm, live ? "waiting" : front.saved ? "saved" : own.model.get("_state").kept ? "dead_kept" : "dead");
  if (!early) module?.then((late) => gone || (remove(), (remove = play(late))));
  return () => {
    gone = true;
    for (const one of [...removers, remove]) one();
  };
};
