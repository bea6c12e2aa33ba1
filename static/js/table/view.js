// @ts-check
/** The table's view (docs/protocol.md, "The view") from the viewer's side. */

import { across, positionFor } from "../../board/position.js";

/** @typedef {import("../../board/position.js").Way} Way */
/** @typedef {import("../../board/geometry.js").Side} Side */
/** @typedef {import("../../board/board.js").BoardState} BoardState */
/** @typedef {[number, number]} Pair  by seat */
/** @typedef {import("../types/frames.js").Person} Player */
/** @typedef {import("../types/frames.js").View} View */

/** The seat whose side of the board is shown: my own, or seat 0 for watchers. @param {0|1|null} seat @returns {0|1} */
export const nearSeat = (seat) => seat ?? 0;

/** Whether one player plays both sides. @param {View|null} view @returns {boolean} */
export const isAlone = (view) => Boolean(view?.players.some((player) => player?.plays_as === "alone"));

/** The seat I speak for: my own, or where I play alone that of the side that is to decide. @param {View} view @param {0|1|null} own @returns {0|1|null} */
export function handOf(view, own) {
  if (own === null || !isAlone(view)) return own;
  return view.decider === null ? own : /** @type {0|1} */ (view.decider);
}

/** @param {0|1|null} seat @param {number|null} of @returns {Side|null} */
export function sideOf(seat, of) {
  if (of === null) return null;
  return of === nearSeat(seat) ? "me" : "op";
}

/** The points of both seats; in a match to a number of points none beyond that number. @param {{score: number[], terms: {contest: string, target_points: number}}} view @returns {number[]} */
export const scoreOf = ({ score, terms }) => (terms.contest === "points" ? score.map((points) => Math.min(points, terms.target_points)) : score);

/** @param {Side} side @param {0|1|null} seat @returns {0|1} */
export function seatAt(side, seat) {
  const near = nearSeat(seat);
  return side === "me" ? near : near === 0 ? 1 : 0;
}

/**
 * The content of the board.
 * @param {View} view @param {0|1|null} seat @param {boolean} locked
 * @returns {BoardState}
 */
export function boardState(view, seat, locked) {
  const near = nearSeat(seat);
  const mine = view.phase === "play" && seat !== null && view.on_roll === seat;
  const turn = [view.match, view.game, view.phase, view.on_roll, view.dice, view.pips].join("/");
  return {
    position: positionFor(view.board, view.way, near),
    way: view.way,
    pins: view.capture === "pin",
    dice: roll(view, seat, turn),
    faintDice: faintRoll(view, seat),
    cube: cube(view, seat),
    graph: mine ? view.graph : null,
    turn,
    last: lastPlay(view, seat),
    tapRolls: seat !== null && view.actions[seat].includes("roll"),
    locked,
  };
}

/** @param {View} view @param {0|1|null} seat @param {string} key */
function roll(view, seat, key) {
  if (!view.dice || view.on_roll === null) return null;
  return { values: view.dice, side: /** @type {Side} */ (sideOf(seat, view.on_roll)), key };
}

/** The dice of the play before, while the other side is to act. @param {View} view @param {0|1|null} seat */
function faintRoll(view, seat) {
  const last = view.last_play;
  if (!last || last.seat === view.on_roll) return null;
  return { values: last.dice, side: /** @type {Side} */ (sideOf(seat, last.seat)) };
}

/** @param {View} view @param {0|1|null} seat */
function cube(view, seat) {
  if (!view.terms.has_cube) return null;
  const offered = view.phase === "double_offered";
  return {
    value: offered ? (view.cube.offered_value ?? view.cube.value * 2) : view.cube.value,
    owner: sideOf(seat, view.cube.owner),
    offeredTo: offered ? sideOf(seat, view.decider) : null,
    ready: seat !== null && view.actions[seat].includes("double"),
    resting: view.crawford,
  };
}

/** Where the opponent's last play began and ended; steps of one checker count once. @param {View} view @param {0|1|null} seat */
function lastPlay(view, seat) {
  const last = view.last_play;
  if (!last || last.seat === seat) return null;
  const turned = last.seat !== nearSeat(seat);
  const here = (/** @type {number} */ place) => (turned ? across(view.way, place) : place);
  const from = last.moves.map((move) => move[0]);
  /** @type {number[]} */
  const to = [];
  for (const move of last.moves) {
    const passed = to.indexOf(move[0]);
    if (passed >= 0) {
      to.splice(passed, 1);
      from.splice(from.indexOf(move[0]), 1);
    }
    to.push(move[1]);
  }
  return { side: /** @type {Side} */ (sideOf(seat, last.seat)), from: from.map(here), to: to.map(here) };
}

/**
 * Time left of a seat at `now_ms` of the server.
 * @param {View["clock"]} clock @param {number} seat @param {number} now_ms
 * @returns {{delay_ms: number, reserve_ms: number}}
 */
export function timeLeft(clock, seat, now_ms) {
  const delay = clock.delay_left_ms[seat];
  const reserve = clock.reserve_ms[seat];
  if (clock.running !== seat || clock.since_ms === null) return { delay_ms: delay, reserve_ms: reserve };
  const spent = Math.max(0, now_ms - clock.since_ms);
  return {
    delay_ms: Math.max(0, delay - spent),
    reserve_ms: Math.max(0, reserve - Math.max(0, spent - delay)),
  };
}
