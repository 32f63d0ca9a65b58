// What a game with a panel of its own shows: its state, its dice and its plays.

/** @import { OwnGame } from "./wire" */
import { diceButtons } from "./dice_buttons.mjs";
import { assign, button, h, syncList, update } from "./elements.mjs";
import { showGauges } from "./gauges.mjs";
import { say, translated } from "./texts.mjs";

/** @type {OwnGame} */
export const ownGame = (press) => {
  const note = h("b"), meters = h("div", { className: "dd-gauges" }), plays = h("div", { className: "dd-do" });
  const preview = h("div", { role: "group", ariaLabel: say("preview"), ariaLive: "polite", className: "dd-preview" });
  const dice = diceButtons((index) => press({ die: index + 1 }), ({ sides, face, state, pressed }, index) => {
    const key = `numbered_die${state ? "_state" : pressed ? "_pressed" : ""}`, [stateWord, action] = [state, pressed].map(translated);
    return [[sides, face, state], say(key, { number: index + 1, face, state: stateWord, action }), !!pressed, action || stateWord, !!state];
  });
  assign(dice.node, { role: "group", ariaLabel: say("dice") });
  const syncPlays = syncList(plays, () => {
    let id = "";
    const node = button("", () => press({ play: id }));
    return { node, show(play) {
      id = play.id;
      assign(node, { className: play.main ? "dd-main" : "", ariaDisabled: !play.can, title: play.why });
      update(node, play.label);
    } };
  });
  const node = h("div", { className: "dd-game" }, note, dice.node, preview, plays, meters);
  return { node, show({ game }) {
    node.hidden = !game;
    if (!game) return;
    update(note, game.note);
    dice.show(game.dice);
    const { preview: sentences = [] } = game;
    if (preview.textContent !== sentences.join("")) preview.replaceChildren(...sentences.map((text) => h("p", {}, text)));
    syncPlays(game.plays);
    showGauges(meters, game.gauges);
  } };
};
