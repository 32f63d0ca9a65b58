// A text that can be copied.

/** @import { CopyBox } from "./wire" */
import { SPEAK_DELAY, announce, assign, button, h, update } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {CopyBox} */
export const copyBox = (id, label) => {
  const area = h("textarea", { id, readOnly: true, spellcheck: false }), status = h("span", { ariaLive: "polite" });
  const copy = button(say("copy"), () => {
    area.select();
    document.execCommand("copy"); // the newer API is not available on every page
    copy.focus();
    announce(status, say("copied"));
    setTimeout(update, 5 * SPEAK_DELAY, status);
  }, { ariaLabel: say("copy_what", { label }) });
  return { node: h("div", {}, h("label", { htmlFor: id }, label), status, copy, area), show: (text) =>
    area.value === text || assign(area, { value: text, rows: Math.min(12, text.split("\n").length) }) };
};
