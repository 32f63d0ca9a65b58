// Shows the words that are true of the reader's rolls. A page has them all; Python says which conditions hold.

(() => {
/** @type {Set<HTMLElement> | undefined} */
let before;
const all = (/** @type {string} */ selector) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];
const shown = () => all("[data-dice-case]:not([hidden])");

// What has come up is said once all of a story is there, behind the roll that was pressed.
const say = () => {
  const words = shown().filter((one) => !before?.has(one) && !one.parentElement?.closest("[hidden]"));
  before = undefined;
  const status = document.querySelector(".dice-status");
  if (status) status.textContent = [status.textContent, ...words.map((one) => one.textContent?.trim())].join(" ");
};

addEventListener("dice-told", (event) => {
  /** @type {Map<string, import("./story.mjs").Rolled>} */
  const rolls = /** @type {CustomEvent} */ (event).detail;
  if (!before && rolls.size) {
    before = new Set(shown());
    queueMicrotask(say);
  }
  for (const element of all("[data-dice-words]")) {
    const { dataset } = element, { diceWords = "", diceCase, diceFact = "" } = dataset;
    const words = rolls.get(diceWords)?.words;
    if (diceCase === undefined) {
      dataset.diceBook ??= element.innerHTML;
      element.innerHTML = `${words?.facts[diceFact] ?? dataset.diceBook}`;
    } else {
      dataset.diceBook ??= element.hidden ? "" : "holds";
      element.hidden = !(words ? words.holds[diceCase] : dataset.diceBook);
    }
  }
});
})();
