// The outcome as code and as directives, to be copied.

/** @import { Exported } from "./wire" */
import { copyBox } from "./copy.mjs";
import { h } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {["code" | "directive" | "directive_rst", string][]} */
const FORMATS = [["code", "Python"], ["directive", "Markdown"], ["directive_rst", "reStructuredText"]];

/** @type {Exported} */
export const exported = (view, read) => {
  const boxes = FORMATS.map(([name, label]) => ({ name, ...copyBox(`${view}-.${name}`, label) }));
  // Only while they are visible: a browser's autofill scans the whole page for each box that is set.
  const show = () => {
    node.hidden = !read().code;
    if (node.open) boxes.forEach((one) => one.show(read()[one.name]));
  };
  const node = h("details", { className: "dd-away", ontoggle: show }, h("summary", {}, say("export")), ...boxes.map((one) => one.node));
  return { node, show };
};
