// Stands in each panel, so it is short; it brings what they share: the module, its styles, the form of the mechanic.
export default {
  async render(c) {
    const m = c.model, key = m.get("_form"), all = (globalThis[Symbol.for("dicedocs.front")] ??= {});
    const front = await m.widget_manager.get_model(m.get("_front").slice(10));
    // A new form may still be on its way.
    while (!front.get("forms")[key]) await new Promise((told) => front.once("change:forms", told));
    const hash = front.get("hash"), form = { ...front.get("forms")[key], shapes: front.get("shapes") };
    all[hash] ??= import(URL.createObjectURL(new Blob([front.get("js")], { type: "text/javascript" })));
    return (await all[hash]).render(c, front.get("css"), hash, front, form);
  },
};
