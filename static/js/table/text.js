// @ts-check
/** Words and figures of a table in the reader's language. */

import { say, sayCount, word } from "../say.js";

const language = document.documentElement.lang || "en";
const credits = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** The sign of the currency, as the house has it. */
const sign = document.documentElement.dataset.sign || "ℂ";
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: false });

/** The levels that have names. @type {Record<number, string>} */
const LEVELS = { 1: say("single game"), 2: say("gammon"), 3: say("backgammon") };

/**
 * The name of a level: gammon, or the checkers left where a variant counts those.
 * @param {string} variant @param {number} level @returns {string}
 */
export function levelName(variant, level) {
  return word("levels", variant) === "checkers" ? sayCount("{count} checker left", "{count} checkers left", { count: level }) : LEVELS[level];
}

/** The last play of the running game. @param {{last_play: {text: string}|null}|null|undefined} view @returns {string} */
export const lastPlay = (view) => (view?.last_play ? view.last_play.text || say("no legal move") : say("Nobody has played in this game yet."));

/** 250 → "2.50 ℂ". @param {number} cents @returns {string} */
export const money = (cents) => `${cents < 0 ? "−" : ""}${credits.format(Math.abs(cents) / 100)} ${sign}`;

/** 250 → "+2.50 ℂ". @param {number} cents @returns {string} */
export const signedMoney = (cents) => (cents > 0 ? `+${money(cents)}` : money(cents));

/** [90, 180] → "+0.90 / +1.80 ℂ". @param {number[]} list_cents @param {string} between @returns {string} */
export function amounts(list_cents, between) {
  const plus = (/** @type {number} */ cents) => (cents > 0 ? "+" : cents < 0 ? "−" : "");
  return `${list_cents.map((cents) => plus(cents) + credits.format(Math.abs(cents) / 100)).join(between)} ${sign}`;
}

/** A rating, whole and without separators. @param {number} elo @returns {string} */
export const rating = (elo) => whole.format(elo);

/** 12 → "+12", −3 → "−3", 0 → "±0". @param {number} value @returns {string} */
export const signed = (value) => (value > 0 ? `+${whole.format(value)}` : value < 0 ? `−${whole.format(-value)}` : "±0");

/** 252000 → "4:12". Started seconds count whole. @param {number} ms @returns {string} */
export function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
