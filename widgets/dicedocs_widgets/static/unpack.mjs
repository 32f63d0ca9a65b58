// Part of the model that all panels share: unpacks the module and its styles, once per page, and renders a panel.

/** @type {Record<string, Promise<{ module: any, css: string, shapes: any }>>} */
const unpacked = {};

const unpackedText = (/** @type {string} */ packed) => {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
};
const unpackedData = async (/** @type {string} */ packed) => JSON.parse(await unpackedText(packed));

const unpack = async (/** @type {string} */ packed) => {
  const [js, css, shapes] = (await unpackedText(packed)).split("\0");
  const module = await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));
  return { module, css, shapes: JSON.parse(shapes) };
};

// Returns a model with its state unpacked. What arrives reaches its listeners in order.
const unpackedModel = async (/** @type {any} */ model) => {
  const read = () => unpackedData(model.get("_state"));
  /** @type {Map<any, any>} */
  const listeners = new Map();
  let state = await read(), last = Promise.resolve();
  const add = (/** @type {() => void} */ call) => (last = last.then(call).catch(reportError));
  return {
    get: (/** @type {string} */ name) => (name === "_state" ? state : model.get(name)),
    send: (/** @type {any} */ message) => model.send(message),
    on(/** @type {string} */ event, /** @type {(...args: any[]) => void} */ call) {
      const listener = event === "change:_state"
        ? async (/** @type {any[]} */ ...args) => {
          const next = read();
          add(async () => ((state = await next), call(...args)));
        }
        // A widget manager applies asynchronously the change of state that came before.
        : (/** @type {any[]} */ ...args) => setTimeout(add, 0, () => call(...args));
      listeners.set(call, [...(listeners.get(call) ?? []), [event, listener]]);
      model.on(event, listener);
    },
    off(/** @type {string} */ event, /** @type {any} */ call) {
      for (const [one, listener] of listeners.get(call) ?? []) if (one === event) model.off(event, listener);
    },
  };
};

/** @param {{ model: any, el: HTMLElement }} context @param {any} front */
export const render = async ({ model, el }, front) => {
  const hash = front.get("hash"), key = model.get("_form");
  // A new form may arrive later than the panel.
  while (!front.get("forms")[key]) await new Promise((resolve) => front.once("change:forms", resolve));
  const { module, css, shapes } = await (unpacked[hash] ??= unpack(front.get("packed")));
  const form = await unpackedData(front.get("forms")[key]), texts = await unpackedData(front.get("texts")[form.language]);
  return module.render({ model: await unpackedModel(model), el }, css, hash, front, { ...form, texts, shapes });
};
