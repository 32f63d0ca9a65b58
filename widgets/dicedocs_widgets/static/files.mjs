// Files that a page saves: CSV as it is, and a chart as a picture, drawn from its SVG.

import { h } from "./elements.mjs";

const SCALE = 2; // for screens with more dots

/** @param {Blob} blob @param {string} name */
const save = (blob, name) => {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(URL.revokeObjectURL, 1000, link.href);
};

/** @param {{ name: string, text: string }} file */
export const saveFile = async ({ name, text }) => {
  if (!text.startsWith("<svg")) return save(new Blob([text], { type: "text/csv" }), `${name}.csv`);
  const image = h("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
  await image.decode();
  const canvas = h("canvas", { width: SCALE * image.width, height: SCALE * image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && save(blob, `${name}.png`));
};
