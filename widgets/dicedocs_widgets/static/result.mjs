// The last roll: its verdict, its dice, those on the table, its number in a scale, and its working.

/** @import { LastRoll, Scale } from "./wire" */
import { drawDie } from "./dice.mjs";
import { assign, h, keepFocus, update } from "./elements.mjs";
import { say } from "./texts.mjs";
import { showVerdict } from "./verdict.mjs";

const TUMBLE_DELAY = 100; // ms without an answer before dice turn
const MANY_DICE = 9; // so many dice are drawn smaller

// Draws a scale: the number above its bands.
/** @param {HTMLElement} node @param {Scale} scale */
const showScale = (node, [subject, number, position, end, bands, name]) => {
  const mark = h("b", {}, `${number}`.replace("-", "−"));
  mark.style.setProperty("--p", `${position}`);
  node.replaceChildren(h("small", {}, subject), mark, ...bands.map(([label, numbers, width], index) => {
    const band = h("span", { className: index === end ? "dd-within" : "" }, label, h("small", {}, numbers));
    band.style.setProperty("--p", `${width}`);
    return band;
  }));
  assign(node, { ariaLabel: name });
};

/** @type {LastRoll} */
export const lastRoll = () => {
  const status = h("p", { role: "status", className: "dd-unseen" }), caption = h("p"), verdict = h("p");
  const thrown = h("div", { role: "list", ariaLabel: say("dice"), className: "dd-thrown" }), working = h("div", { className: "dd-outcome" });
  const onTable = h("div", { className: "dd-pools" }), scaleNode = h("div", { className: "dd-scale", role: "img" });
  const head = h("div", { className: "dd-last" }, status, caption, verdict, thrown, onTable);
  /** @param {import("./wire").Die[]} dice @param {number} rest */
  const draw = (dice, rest) => [...dice.map((die) => assign(drawDie(die), { role: "listitem" })), rest ? say("and_more", { count: rest }) : ""];
  let shown = "", settled = false, timer = 0;
  return {
    head,
    nodes: [scaleNode, working],
    tumble(on) {
      clearTimeout(timer);
      // The animation of the roll before would delay this one.
      head.classList.remove(on ? "dd-settle" : "dd-tumble");
      if (on) timer = setTimeout(() => head.classList.add("dd-tumble"), TUMBLE_DELAY);
    },
    show(last, failed = "") {
      // A roll that failed leaves nothing of the one before it, which would seem to be its own.
      const outcome = failed ? null : last;
      const { sentence = failed ? "" : say("no_roll"), html = "", dice = [], more = 0, pools = [], scale = null } = outcome ?? {};
      if (shown === (shown = sentence + html + failed)) return;
      // The first outcome that a page shows is not animated.
      head.classList.toggle("dd-settle", settled);
      settled = !failed;
      thrown.classList.toggle("dd-many", dice.length >= MANY_DICE);
      thrown.replaceChildren(...draw(dice, more));
      thrown.hidden = !dice.length;
      onTable.replaceChildren(...pools.map(([label, poolDice, rest]) => h("div", {}, h("span", { className: "dice-label" }, label),
        h("div", { className: "dd-thrown", role: "list", ariaLabel: label }, ...draw(poolDice, rest)))));
      onTable.hidden = !pools.length;
      scaleNode.hidden = !scale;
      if (scale) showScale(scaleNode, scale);
      const unfolded = working.querySelector("details")?.open;
      // Whoever has chosen goes on with what is asked next, or with Roll.
      keepFocus(working, () => (working.innerHTML = html), working.querySelector(".dice-way") ? ".dice-way" : "summary");
      working.querySelector("details")?.toggleAttribute("open", !!unfolded);
      verdict.hidden = !(outcome?.verdict[1] || failed);
      if (outcome) showVerdict(verdict, outcome.verdict);
      else assign(verdict, { className: "dd-verdict dd-failed", textContent: failed });
      update(status, sentence);
      update(caption, outcome ? `${say("roll_number", { number: outcome.roll })}${outcome.label && ` · ${outcome.label}`}` : failed ? say("not_rolled") : sentence);
    },
  };
};
