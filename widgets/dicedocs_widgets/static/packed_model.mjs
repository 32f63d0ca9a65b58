// The model of a panel whose state is packed.

/** @import { Model, ReadText } from "./wire" */

// Returns a model with its state unpacked. What arrives reaches its listeners in order.
/** @param {any} model @param {ReadText} readText @returns {Promise<Model>} */
export const packedModel = async (model, readText) => {
  const read = async () => JSON.parse(await readText(model.get("_state")));
  /** @type {Map<any, any>} */
  const listeners = new Map();
  let state = await read(), last = Promise.resolve();
  const add = (/** @type {() => void} */ call) => (last = last.then(call).catch(reportError));
  return {
    get: (/** @type {string} */ name) => (name === "_state" ? state : model.get(name)),
    send: (message) => model.send(message),
    on(event, call) {
      const listener = event === "change:_state"
        ? (/** @type {any} */ content) => {
          const next = read();
          add(async () => ((state = await next), call(content)));
        }
        // A widget manager applies asynchronously the change of state that came before.
        : (/** @type {any} */ content) => setTimeout(add, 0, () => call(content));
      listeners.set(call, [...(listeners.get(call) ?? []), [event, listener]]);
      model.on(event, listener);
    },
    off(event, call) {
      for (const [one, listener] of listeners.get(call) ?? []) if (one === event) model.off(event, listener);
    },
  };
};
