// The beats of a scene behind one that its reader has rolled: Python plays them, and the page shows what it is given.

/** @typedef {{ html: string, text: string, sentence: string, seed: string, link: string, own?: string, given?: string, missed?: string, odds?: string, changes?: string, facts?: Record<string, string> | null, words?: { holds: Record<string, boolean>, facts: Record<string, string> } | null, tracks?: string[], sheet?: string, error?: string }} Rolled own is the part of the link that holds whatever came before; facts are those of the text, null where it tells the book's roll; words are what is true of it where it has words for each */
/** @typedef {(name: string, others?: string[], digests?: Record<string, string>) => Promise<any>} Load loads a module, if it and others are those that were built */
/** @typedef {{ texts: Record<string, string>, version: string, deck: string, rules: string, offline: boolean, manifest: string, integrity: Record<string, string> }} Book */
/** @typedef {{ texts: Record<string, string>, missing: string, worker: null | (() => Promise<import("./python.mjs").Python>), ready: () => boolean, deal: Deal, status: HTMLElement, load: Load, version: string, examples: Played[], link: (seen: Played) => string, remember: (seen: Played, id: string) => void }} Site what the examples of a page share; without a worker there is no Python, and missing says what it lacks; link is that of all its stories, which opens at one of their beats; it is empty if none is told */
/** @typedef {(key: string, link?: string) => Promise<Rolled & { last: boolean } | undefined>} Deal takes a roll of an example from the deck: one that was not shown, or that of a link; with whether it was the last */
/** @typedef {{ scene: string }} Beat */
/** @typedef {{ key: string }} Text */
/** @typedef {{ name: string, key: string, example: object, text: Text, beat?: Beat, odds: boolean, own: string, undo: () => void, play: (rolled: Rolled) => void, restore: () => void, lock: (why: string) => void, remember: () => void, say: (text: string, failed?: boolean) => void, tell: (key: string, rolled?: Partial<Rolled>) => void, rolled: () => boolean, wait: (more: number) => void, open: (from: string, story: "" | "same" | "changed", scroll: boolean) => Promise<void> }} Played an example of the page; own is the part of the link for the roll of its reader; lock disables Roll and says why, or enables it again; remember puts the story into the address; wait hides the roll of the book while a link to another is followed: 1 before, -1 behind it */
/** @typedef {{ element: HTMLElement, beat: Beat, text: Text, example: object | null, played?: Played }} Step what happens at a place of a scene */

/** @type {Map<Element, { printed: string, shown: string }>} */
const changed = new Map();

/** @param {Element} element @param {string} shown */
const put = (element, shown) => {
  changed.set(element, { printed: changed.get(element)?.printed ?? element.innerHTML, shown });
  element.innerHTML = shown;
  return element;
};

/** @param {Element} element */
const undo = (element) => {
  const text = changed.get(element);
  if (text) element.innerHTML = text.printed;
  changed.delete(element);
};

// On paper is the book.
addEventListener("beforeprint", () => changed.forEach(({ printed }, element) => (element.innerHTML = printed)));
addEventListener("afterprint", () => changed.forEach(({ shown }, element) => (element.innerHTML = shown)));

/**
 * Returns what happens in a scene, in the order of the page.
 * @param {Played[]} examples
 * @param {string} scene
 * @returns {Step[]}
 */
const steps = (examples, scene) => {
  let count = 0;
  return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dice-play, [data-dice-beat]"))].flatMap((element) => {
    const played = element.dataset.diceBeat === undefined ? examples[count++] : undefined;
    const { beat, text, example } = played ?? JSON.parse(element.dataset.diceBeat ?? "");
    return beat?.scene === scene ? [{ element, beat, text, example, played }] : [];
  });
};

/** @param {Step} step @returns {Element | undefined} where the page says what the step changes, if it shows the step */
const changesOf = ({ element, example, played }) => {
  if ((example && !played) || played?.odds) return undefined;
  const found = (played ? element.closest(".dice-example") : element.parentElement)?.querySelector(".dice-changes");
  if (found) return found;
  const made = Object.assign(document.createElement("div"), { className: "dice-changes" });
  element.after(made);
  return made;
};

/** @param {Step} step @param {string} kind @returns {HTMLElement[]} the places that draw the state after the step */
const placesOf = ({ text }, kind) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-dice-${kind}]`))].filter((element) =>
    text && element.dataset.diceAfter === text.key);

/**
 * Returns what happens in the scene of an example, as Python takes it, and what the page shows of that from there.
 * @param {Played[]} examples
 * @param {Played} rolled
 */
const story = (examples, rolled) => {
  const all = steps(examples, rolled.beat?.scene ?? "");
  const place = all.findIndex(({ played }) => played === rolled);
  const told = all.slice(place).map((step) =>
    ({ step, tracks: placesOf(step, "track"), sheets: placesOf(step, "sheet") }));
  const beats = all.map(({ beat, text, example, played }, index) => ({
    beat,
    text,
    example,
    rolled: played === rolled,
    odds: played?.odds ?? false,
    link: played?.own ?? "",
    tracks: told[index - place]?.tracks.map((element) => element.dataset.diceTrack) ?? [],
    sheet: Boolean(told[index - place]?.sheets.length),
  }));
  return { told, beats };
};

/** @param {Played[]} examples @param {Played} opened */
export const beatsOf = (examples, opened) => story(examples, opened).beats;

/**
 * Plays an example again, and then what is behind it in its scene.
 * @param {import("./python.mjs").Python} python
 * @param {Played[]} examples
 * @param {Played} rolled
 * @param {null | (() => string)} linked returns the link of its roll when Python is ready; null for the roll that its panel shows
 */
export const tell = async (python, examples, rolled, linked) => {
  const inPanel = linked === null, { told } = story(examples, rolled);
  const answer = await python.ask(/** @type {any} */ (() => ({
    key: rolled.key, example: rolled.example, text: rolled.text, do: inPanel ? "follow" : "roll", link: linked?.() ?? null, beats: story(examples, rolled).beats,
  })));
  const owns = told.map(({ step }) => step.played?.own ?? "");
  for (const { step, tracks, sheets } of told) {
    if (inPanel && step.played === rolled) rolled.undo();
    else step.played?.restore();
    if (step.text) rolled.tell(step.text.key);
    for (const element of [changesOf(step), ...tracks, ...sheets]) if (element) undo(element);
  }
  [answer, ...answer.followed].forEach((/** @type {Rolled} */ made, index) => {
    const { step, tracks, sheets } = told[index], { played, text } = step;
    if (made.error !== undefined) return (played ?? rolled).say(made.error, true);
    if (made.odds) return played?.say(made.odds);
    played?.lock(made.missed ?? "");
    if (played && made.missed) played.own = made.own ?? "";
    if (inPanel && played === rolled) rolled.own = made.own ?? "";
    else if (played && !made.missed) played.play(made);
    rolled.tell(text.key, made);
    const box = made.missed && step.element.closest(".dice-example, .dice-change");
    if (box) box.classList.add("dice-missed");
    const changes = changesOf(step), given = played && step.element.closest(".dice-example")?.querySelector(".dice-given");
    /** @type {[Element | null | undefined, string | undefined][]} */
    const texts = [
      [changes, `<p>${made.missed ?? made.changes}</p>`],
      // A line has it in its outcome.
      [made.given === undefined ? null : given?.parentElement, made.given],
      ...tracks.map((element, number) => /** @type {[Element, string | undefined]} */ ([element, made.tracks?.[number]])),
      ...sheets.map((element) => /** @type {[Element, string | undefined]} */ ([element, made.sheet])),
    ];
    const places = texts.flatMap(([element, text]) => (element ? [put(element, text ?? "")] : []));
    // What is only changed has no button back of its own.
    const owner = made.missed ? rolled : played ?? rolled, { undo: before } = owner;
    owner.undo = () => (before(), places.forEach(undo), rolled.tell(text.key), box && box.classList.remove("dice-missed"), (owner.undo = () => {}));
  });
  // Behind what fails, the story goes on later, with the rolls that were made there.
  told.forEach(({ step: { played } }, index) => index > answer.followed.length && played && (played.own = owns[index]));
  rolled.remember();
};
