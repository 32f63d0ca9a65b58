// The texts of the panel that is at work, and the names of the states of its dice, in the language of its session: a page
// may have panels in several languages.

/** @type {Record<string, string>} */
let texts = {};
/** @type {Record<string, string>} */
let words = {};

/** @param {Record<string, string>} newTexts @param {Record<string, string>} newWords */
export const useTexts = (newTexts, newWords) => ((texts = newTexts), (words = newWords));

// Returns a text with its placeholders filled in.
/** @param {string} key @param {Record<string, string | number>} [values] */
export const say = (key, values = {}) => texts[key].replace(/{(\w+)}/g, (_, name) => `${values[name]}`);

// Returns what is displayed for a word of a game.
/** @param {string} word */
export const translated = (word) => words[word] ?? word;
