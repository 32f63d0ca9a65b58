// The log as text to be copied, in one of several formats.

/** @import { CopyLog } from "./wire" */
import { copyBox } from "./copy.mjs";
import { h } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {CopyLog} */
export const copyLog = (view, ask, formats) => {
  const copy = copyBox(`${view}-.log`, say("log"));
  const format = h("select", { id: `${view}-.format`, onchange: () => askText() }, ...formats.map(({ name, label }) => h("option", { value: name }, label)));
  const askText = () => node.open && ask("log", { format: format.value });
  const node = h("details", { className: "dd-log", ontoggle: askText }, h("summary", {}, say("copy_log")),
    h("div", {}, h("label", { htmlFor: format.id }, say("format")), format), copy.node);
  return { node, askText, showText: copy.show };
};
