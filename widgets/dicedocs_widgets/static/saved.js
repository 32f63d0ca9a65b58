// Shows saved panels in a page with no Python behind it: a notebook in a built site, or exported as HTML. It stands in
// for the widget manager of a notebook and fetches nothing: what it needs is the widget state that the page holds.
(() => {
  /** @typedef {{ state: Record<string, any> }} Saved */
  const TYPE = "application/vnd.jupyter.widget";
  const PREFIX = "IPY_MODEL_";

  /** @returns {NodeListOf<HTMLScriptElement>} */
  const scripts = (/** @type {string} */ kind) => document.querySelectorAll(`script[type="${TYPE}-${kind}+json"]`);

  /** @type {Record<string, Promise<any>>} */
  const modules = {};
  const module = (/** @type {string} */ text) =>
    (modules[text] ??= import(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))));

  const show = async () => {
    /** @type {Record<string, Saved>} */
    const saved = Object.assign({}, ...[...scripts("state")].map((one) => JSON.parse(one.textContent ?? "").state));

    /** @type {Record<string, object>} */
    const models = {};
    const model = (/** @type {string} */ id) =>
      (models[id] ??= {
        comm_live: false,
        saved: true,
        widget_manager: { get_model: async (/** @type {string} */ other) => model(other) },
        get: (/** @type {string} */ name) => saved[id].state[name],
        set() {},
        save_changes() {},
        send() {},
        on() {},
        off() {},
      });

    /** Give what a widget looks like, or nothing when that is not known here. @type {(id: string) => Promise<HTMLElement | null>} */
    const view = async (id) => {
      const held = saved[id]?.state, el = document.createElement("div");
      if (held?._esm) {
        await (await module(held._esm)).default.render({ model: model(id), el });
      } else if (/^[HV]BoxModel$/.test(held?._model_name)) {
        const across = held._model_name === "HBoxModel";
        el.style.cssText = `display: flex; flex-flow: ${across ? "row wrap" : "column"}; gap: 4px`;
        for (const child of held.children) {
          const one = await view(child.slice(PREFIX.length));
          if (!one) return null;
          one.style.flex = "1 1 18em";
          el.append(one);
        }
      } else if (held?.description && /^(number|string|boolean)$/.test(typeof held.value)) {
        el.textContent = `${held.description}: ${held.value}`; // a slider, a box, a list to choose from
      } else return null;
      return el;
    };

    for (const script of scripts("view")) {
      const el = await view(JSON.parse(script.textContent ?? "").model_id).catch(console.error);
      if (!el) continue;
      // What stood there for those without scripts.
      script.parentElement?.querySelectorAll(":scope > [data-unscripted]").forEach((one) => one.remove());
      script.replaceWith(el);
    }
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
})();
