// Shows what plays in a page, and follows its model until it is removed.

/** @import { Follow } from "./wire" */

const CHANGES = ["change:_state", "change:description", "change:disabled", "change:_accent"];

/** @type {Follow} */
export const follow = ({ model, el }, front, node, { work, draw, hear }) => {
  // Deferred, since a widget manager applies the change of state before it asynchronously.
  const answered = (/** @type {any} */ answer) => setTimeout(() => (work(), hear(answer)));
  const listen = (/** @type {"on" | "off"} */ how) => {
    for (const event of CHANGES) model[how](event, draw);
    model[how]("msg:custom", answered);
    front?.[how]("comm_live_update", draw);
  };
  listen("on");
  for (const event of ["click", "input", "keydown"]) node.addEventListener(event, work, true);
  draw();
  el.classList.add("dd-view");
  el.append(node);
  return () => (listen("off"), node.remove());
};
