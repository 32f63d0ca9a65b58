// Part of the model that all panels share, and saved as it is: unpacks the module that starts a panel, once per page.

/** @type {Record<string, Promise<{ module: any, css: string, shapes: any }>>} */
const unpacked = {};

const read = (/** @type {BlobPart} */ bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
const readText = (/** @type {string} */ packed) => read(Uint8Array.from(atob(packed), (char) => char.charCodeAt(0)));

const load = (/** @type {string} */ js) => import(URL.createObjectURL(new Blob([js], { type: "text/javascript" })));

const unpack = async (/** @type {string} */ packed) => {
  const [js, css, shapes] = (await readText(packed)).split("\0");
  return { module: await load(js), css, shapes: JSON.parse(shapes) };
};

/** @param {{ model: any, el: HTMLElement }} context @param {any} front */
export const render = async (context, front) => {
  const { module, css, shapes } = await (unpacked[front.get("hash")] ??= unpack(front.get("packed")));
  return module.start(context, front, { css, shapes, read, readText, load });
};
