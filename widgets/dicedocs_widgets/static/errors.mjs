// The message below a field whose value is not valid.

/** @import { ErrorMessage } from "./wire" */
import { SPEAK_DELAY, announce, h, update } from "./elements.mjs";

// An error, shown at once and spoken after a pause in typing.
/** @type {ErrorMessage} */
export const errorMessage = (id) => {
  const message = h("span"), excerpt = h("pre"), alert = h("p", { role: "alert", className: "dd-unseen" });
  const visible = h("div", { id, className: "dd-wrong", ariaHidden: "true" }, message, excerpt);
  let timer = 0;
  const speak = (again = false) => (clearTimeout(timer), (again ? announce : update)(alert, `${message.textContent}`));
  return { nodes: [visible, alert], speak, show(error) {
    const [text = "", ...lines] = error?.text.split("\n") ?? [];
    visible.hidden = !text;
    update(excerpt, lines.join("\n"));
    if (text === message.textContent) return;
    update(message, text);
    clearTimeout(timer);
    if (text) timer = setTimeout(speak, SPEAK_DELAY);
    else update(alert);
  } };
};
