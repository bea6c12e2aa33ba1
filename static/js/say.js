// @ts-check
/**
 * The texts of scripts in the reader's language. A script says its English sentence where it uses it; the page brings
 * the translations of those that its scripts say (platform/pasch/assets/script_texts.py), and none where a sentence
 * stays as it is. So the arguments `text`, `one`, `other` and `context` are always written out as strings in quotes.
 */

/** @typedef {Record<string, string|number|undefined>} Values */

/** Translations by the checksum of the sentence; those with a number have one for each plural category of Unicode. */
const texts = /** @type {Record<string, string & Record<string, string>>} */ (read('script[id^="texts-"]'));

/** @type {Record<string, Record<string, string>>} */
const words = /** @type {any} */ (read("script#words"));

const plural = new Intl.PluralRules(document.documentElement.lang || "en");

/** The sentence, with its `{names}` filled in if there are values. @param {string} text @param {Values} [values] @returns {string} */
export const say = (text, values) => filled(translated(text) ?? text, values);

/** A word that has several translations: `context` says which. @param {string} context @param {string} text @returns {string} */
export const sayIn = (context, text) => translated(`${context}\u0004${text}`) ?? text;

/** The form of the sentence that `count` asks for. @param {string} one @param {string} other @param {Values & {count: number}} values @returns {string} */
export function sayCount(one, other, values) {
  const form = plural.select(values.count);
  const forms = translated(one);
  return filled(forms ? (forms[form] ?? forms.other) : form === "one" ? one : other, values);
}

/** What the server says by a key that it sends in frames and views: a name, a phrase, why it refuses. @param {string} kind @param {string} key @returns {string} */
export const word = (kind, key) => words[kind]?.[key] ?? key;

/** A text with its `{names}` filled in; as it is without values. @param {string} text @param {Values} [values] @returns {string} */
export const filled = (text, values) => (values ? text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? "")) : text);

/** @param {string} text @returns {(string & Record<string, string>)|undefined} */
const translated = (text) => texts[checksum(text)];

/** The first 24 bits of CRC-32, which are shorter than a sentence. @param {string} text @returns {string} */
function checksum(text) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return (~sum >>> 8).toString(16);
}

/** The data of the page in its elements of this kind. @param {string} selector @returns {object} */
function read(selector) {
  return Object.assign({}, ...[...document.querySelectorAll(selector)].map((element) => JSON.parse(element.textContent ?? "{}")));
}
