// A short sound of dice at each roll, which is off until it is switched on in this browser.

/** @import { Sound } from "./wire" */
import { labelled } from "./controls.mjs";
import { say } from "./texts.mjs";

const KEY = "dicedocs.sound";
const LENGTH = 0.15, KNOCKS = 3; // seconds, and how many dice are heard in them

// A page may forbid that anything is stored.
const storage = () => {
  try {
    return localStorage;
  } catch {
    return null;
  }
};

/** @type {Sound} */
export const sound = (id) => {
  let on = !!storage()?.getItem(KEY);
  const play = () => {
    if (!on) return;
    const context = new AudioContext(), count = LENGTH * context.sampleRate, buffer = context.createBuffer(1, count, context.sampleRate);
    buffer.getChannelData(0).forEach((_, index, samples) => {
      const faded = 1 - ((KNOCKS * index) / count) % 1;
      samples[index] = (Math.random() - 0.5) * faded ** 8;
    });
    const source = context.createBufferSource();
    Object.assign(source, { buffer, onended: () => context.close() }).connect(context.destination);
    source.start();
  };
  const field = { name: "sound", label: say("sound"), help: "", required: false, default: "", control: { kind: /** @type {const} */ ("truth") } };
  const { node, input } = labelled(field, id, (value) => {
    on = value === "true";
    storage()?.[on ? "setItem" : "removeItem"](KEY, "on");
    play();
  });
  input.checked = on;
  return { node, play };
};
