// Messages to Python and their answers.

/** @import { Messenger, PendingChange } from "./wire" */
import { say } from "./texts.mjs";

// What throws dice, which tumble until the answer comes.
/** @type {Set<import("./wire").Message["do"]>} */
const ROLLING = new Set(["roll", "roll-each", "answer", "replay", "press", "favourite"]);
const WAIT_DELAY = 1500; // ms without an answer before a notice is shown

// Returns the time on the clock of the player, who may be far from Python.
const localTime = () => {
  const now = new Date();
  return new Date(+now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
};

// Sends messages to Python, one at a time. An action goes with the changes made before it, however long it has to wait.
/** @type {Messenger} */
export const messenger = (model, view, { dead, sending, answering }) => {
  /** @type {Map<string, PendingChange>} */
  const changes = new Map();
  const queue = /** @type {{ action: object, before: PendingChange[] }[]} */ ([]);
  let n = 0, awaited = 0, rolling = false, waitTimer = 0, debounce = 0;

  const send = () => {
    if (awaited || dead()) return;
    const asked = queue.shift();
    const unsent = (asked?.before ?? [...changes.values()]).filter((one) => !one.sent);
    if (!asked && !unsent.length) return;
    const message = /** @type {any} */ ({ ...(asked?.action ?? { do: "set" }), view, n: (awaited = ++n), texts: {}, parts: {}, time: localTime() });
    for (const one of unsent) {
      one.sent = n;
      (message[one.section] ?? message)[one.name] = one.value;
    }
    rolling = ROLLING.has(message.do);
    sending(rolling, false);
    waitTimer = setTimeout(sending, WAIT_DELAY, rolling, true);
    try {
      model.send(message);
    } catch (error) {
      finish(say("unsent", { error: `${error}` }));
    }
  };
  const finish = (failed = "") => {
    clearTimeout(waitTimer);
    for (const [key, one] of changes) if (one.sent) changes.delete(key);
    awaited = 0;
    answering(rolling, failed);
    send();
  };
  return {
    // What was changed in the page is newer than what the state says of it.
    isChanged: (key) => changes.has(key),
    change(key, section, name, value) {
      changes.set(key, { section, name, value, sent: 0 });
      clearTimeout(debounce);
      debounce = setTimeout(send, 30);
    },
    ask: (action, more = {}) => dead() || (queue.push({ action: { do: action, ...more }, before: [...changes.values()] }), send()),
    receive: (answer) => awaited && answer.for[view] === awaited && finish(answer.failed),
  };
};
