// Shows saved panels in a page without Python: a notebook in a built site, or exported as HTML. It replaces the widget
// manager of a notebook, and fetches nothing: the page contains the widget state.
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
    const saved = Object.assign({}, ...[...scripts("state")].map((script) => JSON.parse(script.textContent ?? "").state));

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

    /** Returns an element that shows a widget, or null for an unknown kind of widget. @type {(id: string) => Promise<HTMLElement | null>} */
    const view = async (id) => {
      const state = saved[id]?.state, el = document.createElement("div");
      if (state?._esm) {
        await (await module(state._esm)).default.render({ model: model(id), el });
      } else if (/^[HV]BoxModel$/.test(state?._model_name)) {
        const horizontal = state._model_name === "HBoxModel";
        el.style.cssText = `display: flex; flex-flow: ${horizontal ? "row wrap" : "column"}; gap: 4px`;
        for (const reference of state.children) {
          const child = await view(reference.slice(PREFIX.length));
          if (!child) return null;
          child.style.flex = "1 1 18em";
          el.append(child);
        }
      } else if (state?.description && /^(number|string|boolean)$/.test(typeof state.value)) {
        el.textContent = `${state.description}: ${state.value}`; // a slider, a text box, a dropdown
      } else return null;
      return el;
    };

    for (const script of scripts("view")) {
      const el = await view(JSON.parse(script.textContent ?? "").model_id).catch(console.error);
      if (!el) continue;
      // The fallback for browsers without scripts.
      script.parentElement?.querySelectorAll(":scope > [data-unscripted]").forEach((fallback) => fallback.remove());
      script.replaceWith(el);
    }
  };

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
})();
