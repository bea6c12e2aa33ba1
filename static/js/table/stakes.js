// @ts-check
/**
 * What is at stake: the endings that the server lists (docs/protocol.md, "stakes"), in words.
 *
 * Every amount is the server's; nothing is calculated here.
 */

import { say, sayCount } from "../say.js";
import { amounts, levelName, money, signedMoney } from "./text.js";
import { seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../types/frames.js").Worth} Row */
/** @typedef {{level: number, points: number, over: boolean, change_cents: [number, number], rake_cents: number, capped: boolean}} Worth */

/** More levels than these are shown as the first and the last. */
const LEVELS_SHOWN = 3;

/** @param {Row} row @returns {Worth} */
function read([level, points, over, change_cents, rake_cents, capped]) {
  return { level, points, over, change_cents, rake_cents, capped };
}

/** The ways in which a seat can lose the game as the cube is now. @param {View} view @param {0|1} loser @returns {Worth[]} */
export const levelsOf = (view, loser) => view.stakes?.losses[loser].levels.map(read) ?? [];

/** The same once a double is taken. @param {View} view @param {0|1} loser @returns {Worth[]} */
export const takenOf = (view, loser) => view.stakes?.losses[loser].taken.map(read) ?? [];

/** @param {View} view @param {0|1} loser @param {"drop"|"leave"} how @returns {Worth|null} */
export function worthOf(view, loser, how) {
  const row = view.stakes?.losses[loser][how];
  return row ? read(row) : null;
}

/** A resignation at this level. @param {View} view @param {0|1} loser @param {number} level @returns {Worth|null} */
export const resigned = (view, loser, level) => levelsOf(view, loser).find((worth) => worth.level === level) ?? null;

/** Whether the ending settles credits by the point. @param {View} view @returns {boolean} */
const byThePoint = (view) => view.terms.rate_cents > 0;

/** One ending for one seat: credits gained or lost where they are settled by the point, else points. @param {View} view @param {Worth} worth @param {0|1} seat @returns {string} */
export function amountFor(view, worth, seat) {
  return byThePoint(view) ? signedMoney(worth.change_cents[seat]) : sayCount("{count} point", "{count} points", { count: worth.points });
}

/** The same without a sign, for sentences that say who wins or loses it. @param {View} view @param {Worth} worth @param {0|1} seat @returns {string} */
export function sizeFor(view, worth, seat) {
  return byThePoint(view) ? money(Math.abs(worth.change_cents[seat])) : sayCount("{count} point", "{count} points", { count: worth.points });
}

/** Several endings for one seat, in the order of their levels. @param {View} view @param {Worth[]} worths @param {0|1} seat @returns {string} */
export function listFor(view, worths, seat) {
  if (!worths.length) return "";
  const shown = ends(worths);
  if (byThePoint(view)) {
    const list = amounts(shown.map((worth) => worth.change_cents[seat]), between(worths));
    return shown.some((worth) => worth.capped) ? say("{list} (limit)", { list }) : list;
  }
  if (worths.every((worth) => endsMatch(view, worth))) return say("the match");
  const texts = shown.map((worth) => (endsMatch(view, worth) ? say("the match") : String(worth.points)));
  return texts.filter((text, i) => text !== texts[i - 1]).join(between(worths));
}

/** The names of the levels, in their order. @param {View} view @param {Worth[]} worths @returns {string} */
function levelNames(view, worths) {
  const names = ends(worths).map((worth) => levelName(view.variant, worth.level));
  return names.join(between(worths));
}

/** All endings, or the first and the last of many. @param {Worth[]} worths @returns {Worth[]} */
const ends = (worths) => (worths.length > LEVELS_SHOWN ? [worths[0], worths[worths.length - 1]] : worths);

/** @param {Worth[]} worths @returns {string} */
const between = (worths) => (worths.length > LEVELS_SHOWN ? " … " : " / ");

/** Whether it decides a match of several games. @param {View} view @param {Worth} worth @returns {boolean} */
export const endsMatch = (view, worth) => worth.over && view.terms.contest !== "game";

/** The longer list of both seats: all levels that anybody can still lose. @param {Worth[]} one @param {Worth[]} two @returns {Worth[]} */
const longer = (one, two) => (two.length > one.length ? two : one);

/**
 * The rows of the panel: what each side wins and loses now, each with the same after a take below it.
 * @param {View} view @param {0|1|null} seat @param {{wins: string, loses: string}} names
 * @returns {[string, string, string][]}
 */
export function stakeRows(view, seat, names) {
  const me = seatAt("me", seat);
  const op = seatAt("op", seat);
  const won = levelsOf(view, op);
  const lost = levelsOf(view, me);
  if (!won.length && !lost.length) return [];
  const win = listFor(view, won, me);
  const loss = listFor(view, lost, me);
  const wonTaken = takenOf(view, op);
  const lostTaken = takenOf(view, me);
  const winTaken = listFor(view, wonTaken, me);
  const lossTaken = listFor(view, lostTaken, me);
  if ([...won, ...lost].every((worth) => endsMatch(view, worth))) return [[say("This game"), say("the match"), "hot"]];
  /** @type {[string, string, string][]} */
  const rows = [[say("This game"), levelNames(view, longer(won, lost)), "levels"]];
  if (win === loss && winTaken === lossTaken) {
    rows.push([say("Points"), win, "hot"]);
    if (winTaken) rows.push([say("After a take"), winTaken, "after"]);
    return rows;
  }
  rows.push([names.wins, win, "hot"]);
  if (winTaken) rows.push([say("After a take"), winTaken, "after"]);
  rows.push([names.loses, loss, ""]);
  if (lossTaken) rows.push([say("After a take"), lossTaken, "after"]);
  return rows;
}
