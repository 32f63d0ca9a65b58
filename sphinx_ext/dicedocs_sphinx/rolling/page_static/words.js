// Shows the words that are true of the reader's rolls. A page has them all; Python says which conditions hold.

(() => {
/** @type {Set<HTMLElement> | undefined} */
let before;
const all = (/** @type {string} */ selector) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];
const shown = () => all("[data-dice-case]:not([hidden])").filter((one) => !one.parentElement?.closest("[hidden]"));

/** @param {HTMLElement} one */
const seen = (one) => {
  const copy = /** @type {HTMLElement} */ (one.cloneNode(true));
  copy.querySelectorAll("[hidden]").forEach((each) => each.remove());
  return copy.textContent?.trim().replace(/\s+/g, " ");
};

// What has come up is said once all of a story is there, behind the roll that was pressed.
const say = () => {
  const words = shown().filter((one) => !before?.has(one));
  const whole = words.filter((one) => !words.some((other) => other !== one && other.contains(one)));
  before = undefined;
  const status = document.querySelector(".dice-status");
  if (status && whole.length) status.textContent = [status.textContent, ...whole.map(seen)].join(" ");
};

addEventListener("dice-told", (event) => {
  /** @type {Map<string, Partial<import("./story.mjs").Rolled>>} */
  const rolls = /** @type {CustomEvent} */ (event).detail;
  if (!before && rolls.size) {
    before = new Set(shown());
    queueMicrotask(say);
  }
  for (const element of all("[data-dice-words]")) {
    const { dataset } = element, { diceWords = "", diceCase, diceFact = "" } = dataset;
    const rolled = rolls.get(diceWords), words = rolled?.words;
    // Of what did not happen nothing is known but its scene.
    const known = words && (diceCase === undefined ? diceFact in words.facts : diceCase in words.holds);
    // They tell the book's roll, while something else was rolled.
    element.classList.toggle("dice-books", Boolean(rolled && !known && (rolled.facts === null || rolled.missed)));
    if (diceCase === undefined) {
      dataset.diceBook ??= element.innerHTML;
      element.innerHTML = words?.facts[diceFact] ?? dataset.diceBook;
    } else {
      dataset.diceBook ??= element.hidden ? "" : "holds";
      element.hidden = !(known ? words.holds[diceCase] : dataset.diceBook);
    }
  }
  const { texts } = JSON.parse(all("script[data-dicedocs]")[0].dataset.dicedocs ?? "");
  for (const told of all(".dice-example .dice-told:not([data-dice-of])")) {
    const books = Boolean(told.closest(".dice-example")?.querySelector("[data-dice-words].dice-books"));
    told.textContent = books ? texts.told : "";
    told.classList.toggle("dice-books", books);
  }
});
})();
