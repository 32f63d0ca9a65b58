// The order of turns: whose turn it is, and the next; each is moved or removed, and others are added.

/** @import { TurnOrder } from "./wire" */
import { button, h, keepFocus, update } from "./elements.mjs";
import { say } from "./texts.mjs";

/** @type {TurnOrder} */
export const turnOrder = (view, ask) => {
  const list = h("ol", { className: "dd-turns" }), round = h("b"), next = button(say("next_turn"), () => ask("next-turn"));
  // Each keeps its node wherever it is moved, and so the focus.
  /** @type {Map<string, { node: HTMLElement; show(number: string, now: boolean): void }>} */
  const made = new Map();
  const create = (/** @type {string} */ name) => {
    const rolled = h("b"), move = (/** @type {number} */ by) => () => ask("move-turn", { name, dice: by });
    const earlier = button("‹", move(-1), { ariaLabel: say("earlier", { name }) }), later = button("›", move(1), { ariaLabel: say("later", { name }) });
    const node = h("li", {}, earlier, h("span", {}, name), " ", rolled, later, button("×", () => ask("remove-turn", { name }), { ariaLabel: say("remove", { name }) }));
    return { node, show: (/** @type {string} */ number, /** @type {boolean} */ now) => {
      update(rolled, number);
      now ? node.setAttribute("aria-current", "true") : node.removeAttribute("aria-current");
    } };
  };
  const whose = h("input", { id: `${view}-.turn`, autocomplete: "off", ariaLabel: say("turn_name"), placeholder: say("turn_name") });
  const rolled = h("input", { inputMode: "numeric", autocomplete: "off", id: `${view}-.turn-number`, ariaLabel: say("turn_number"), placeholder: say("turn_number") });
  const add = button(say("add"), () => {
    if (!whose.value.trim()) return void whose.focus();
    ask("add-turn", { name: whose.value, number: rolled.value });
    whose.value = rolled.value = "";
  });
  for (const box of [whose, rolled]) box.onkeydown = ({ key }) => void (key === "Enter" && add.click());
  const more = h("details", {}, h("summary", {}, say("add_turn")), h("div", { className: "dd-do" }, whose, rolled, add));
  const node = h("div", { className: "dd-order" }, h("div", { className: "dd-do" }, round, next), list, more);
  return { node, show({ round: number, turns }) {
    update(round, number ? say("round", { number }) : say("order"));
    next.hidden = list.hidden = !turns.length;
    const before = /** @type {HTMLElement | null} */ (list.querySelector(":focus"));
    keepFocus(list, () => {
      for (const [name, rolled, now] of turns) {
        const one = made.get(name) ?? create(name);
        made.set(name, one);
        one.show(rolled, now);
      }
      const nodes = turns.map(([name]) => /** @type {any} */ (made.get(name)).node);
      if (nodes.length !== list.children.length || nodes.some((one, index) => one !== list.children[index])) list.replaceChildren(...nodes);
      if (before?.isConnected) before.focus();
    });
  } };
};
