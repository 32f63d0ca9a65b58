// Part of the model that all panels share: unpacks the module and its styles, once per page, and renders a panel.

/** @type {Record<string, Promise<{ module: any, css: string }>>} */
const unpacked = {};

const unpack = async (/** @type {string} */ packed) => {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const [js, css] = (await new Response(stream).text()).split("\0");
  return { module: await import(URL.createObjectURL(new Blob([js], { type: "text/javascript" }))), css };
};

/** @param {{ model: any, el: HTMLElement }} context @param {any} front */
export const render = async (context, front) => {
  const hash = front.get("hash"), key = context.model.get("_form");
  // A new form may arrive later than the panel.
  while (!front.get("forms")[key]) await new Promise((resolve) => front.once("change:forms", resolve));
  const { module, css } = await (unpacked[hash] ??= unpack(front.get("packed")));
  return module.render(context, css, hash, front, { ...front.get("forms")[key], shapes: front.get("shapes") });
};
