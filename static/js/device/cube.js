// @ts-check
/** The cube in unlimited play, by Janowski's formula from the five chances; what backgammon/engines/device.py says. */

import { isRace, pipsOf } from "./lanes.js";

/** @typedef {import("./lanes.js").Lanes} Lanes */
/** @typedef {"centred"|"mine"|"theirs"} Owner */
/** @typedef {{no_double: number, double_take: number}} CubeWorth */

/** How alive the cube is, between dead at 0 and perfectly used at 1. @param {Lanes} lanes @returns {number} */
export function efficiencyOf(lanes) {
  if (!isRace(lanes)) return 0.68;
  const [mine, theirs] = pipsOf(lanes);
  return Math.min(0.7, Math.max(0.6, 0.55 + 0.00125 * ((mine + theirs) / 2)));
}

/** Points of a game to its end. @param {number[]} chances @returns {number} */
export const cubeless = ([win, gammon, backgammon, lostGammon, lostBackgammon]) => 2 * win - 1 + gammon - lostGammon + backgammon - lostBackgammon;

/** The chances of the other player. @param {number[]} chances @returns {number[]} */
export const otherSide = ([win, gammon, backgammon, lostGammon, lostBackgammon]) => [1 - win, lostGammon, lostBackgammon, gammon, backgammon];

/** The equity with the cube where it stands. @param {number[]} chances @param {Owner} owner @param {number} efficiency @param {boolean} jacoby @returns {number} */
export function equityWithCube(chances, owner, efficiency, jacoby) {
  const [win, gammon, backgammon, lostGammon, lostBackgammon] = chances;
  const won = win > 0 ? 1 + (gammon + backgammon) / win : 1;
  const lost = win < 1 ? 1 + (lostGammon + lostBackgammon) / (1 - win) : 1;
  const plain = jacoby && owner === "centred";
  const [wonNow, lostNow] = plain ? [1, 1] : [won, lost];
  const take = (lost - 0.5) / (won + lost + 0.5);
  const cash = (lost + 1) / (won + lost + 0.5);
  /** @type {[number, number][]} */
  const corners = [[0, -lostNow], ...(owner === "mine" ? [] : /** @type {[number, number][]} */ ([[take, -1]])), ...(owner === "theirs" ? [] : /** @type {[number, number][]} */ ([[cash, 1]])), [1, wonNow]];
  return efficiency * between(corners, win) + (1 - efficiency) * (win * wonNow - (1 - win) * lostNow);
}

/** The height at `x` of the line through these corners. @param {[number, number][]} corners @param {number} x @returns {number} */
function between(corners, x) {
  const next = Math.max(1, corners.findIndex(([right]) => x <= right));
  const [[left, low], [right, high]] = [corners[next - 1], corners[next]];
  return low + ((high - low) * (x - left)) / (right - left);
}

/** Not doubling, and a double that is taken. @param {number[]} chances @param {Owner} owner @param {number} efficiency @param {boolean} jacoby @returns {CubeWorth} */
export function cubeWorth(chances, owner, efficiency, jacoby) {
  return {
    no_double: equityWithCube(chances, owner, efficiency, jacoby),
    double_take: 2 * equityWithCube(chances, "theirs", efficiency, false),
  };
}

/** The right actions of both, as backgammon/analysis/answers.py names them. @param {CubeWorth} worth @param {boolean} beavers @returns {string} */
export function verdictOf({ no_double, double_take }, beavers) {
  const beavered = beavers && double_take < 0;
  const doubled = Math.min(double_take, 1, beavers ? Math.max(2 * double_take, -2) : 1);
  if (no_double > doubled) {
    if (double_take >= 1) return "too_good";
    return beavered ? "no_double_beaver" : "no_double";
  }
  if (double_take > 1) return "double_drop";
  return beavered ? "double_beaver" : "double_take";
}
