// The mean and the standard deviation of odds, as text.

import { say } from "./texts.mjs";

/** @param {{ mean: string, deviation: string }} odds @param {string} [more] */
export const describeMoments = ({ mean, deviation }, more = "") =>
  [mean && say("mean", { number: mean }), deviation && say("deviation", { number: deviation }), more].filter(Boolean).join(", ");
