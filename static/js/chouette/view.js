// @ts-check
/** The view of a chouette table, and the board from the viewer's side. */

import { arrowsOf } from "../../board/arrows.js";
import { across, positionFor } from "../../board/position.js";
import { say, sayCount, sayIn } from "../say.js";
import { money } from "../table/text.js";

/** @typedef {"box"|"team"} Party */
/** @typedef {"me"|"op"} Side */
/** @typedef {[number, number, number]} Move  from, to, die */

/** @typedef {import("../types/frames.js").ChouetteView} View */
/** @typedef {import("../types/frames.js").ChouettePerson} Person */
/** @typedef {import("../types/frames.js").MemberCubeView} MemberCube */
/** @typedef {import("../types/frames.js").OfferedCube} Offer */
/** @typedef {import("../types/frames.js").BeaverOffer} BeaverOffer */
/** @typedef {import("../types/frames.js").ChouetteActions} Actions */
/** @typedef {import("../types/frames.js").AdvisedPlay} Advice */
/** @typedef {import("../types/frames.js").PastGame} GameResult */

/** Backgammon is played against each other: one's 1 is the other's 24. */
export const WAY = "against";

/** Phases in which a game is under way. @param {View} view @returns {boolean} */
export const isRunning = (view) => !view.closed && view.phase !== "between_games";

/** The side at the bottom of the board; before the first game that which the viewer will have. @param {View} view @returns {Party} */
export function nearParty(view) {
  const soon = view.game === 0 && view.people.some(({ id, role }) => id === view.me && role === "box");
  return view.seat ?? (soon ? "box" : "team");
}

/** @param {View} view @param {Party} party @returns {Side} */
export const sideOf = (view, party) => (party === nearParty(view) ? "me" : "op");

/** @param {View} view @param {Side} side @returns {Party} */
export function partyAt(view, side) {
  const near = nearParty(view);
  if (side === "me") return near;
  return near === "box" ? "team" : "box";
}

/** @param {View} view @param {number} id @returns {Person|undefined} */
export const personOf = (view, id) => view.people.find((person) => person.id === id);

/** Whether the viewer sits at the table. @param {View} view @returns {boolean} */
export const isSeated = (view) => view.me !== null && personOf(view, view.me) !== undefined;

/** A name, for the viewer "you". @param {View} view @param {number} id @returns {string} */
export const called = (view, id) => (id === view.me ? sayIn("in the middle of a sentence", "you") : nameOf(view, id));

/** @param {View} view @param {number} id @returns {string} */
export const nameOf = (view, id) => personOf(view, id)?.name ?? view.names?.[id] ?? say("somebody");

/** "ozan, nuria and you". @param {View} view @param {number[]} ids @returns {string} */
export function namesOf(view, ids) {
  const names = ids.map((id) => called(view, id));
  if (names.length < 2) return names.join("");
  return say("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names[names.length - 1] });
}

/** Who moves for a side. @param {View} view @param {Party} party @returns {Person|undefined} */
export function moverOf(view, party) {
  if (party === "box") return view.people.find(({ role }) => role === "box");
  return view.people.find(({ acts }) => acts) ?? view.people.find(({ role }) => role === "captain");
}

/** The side of a person in the running game; null: joins later. @param {View} view @param {number} id @returns {Party|null} */
export function partyOf(view, id) {
  const role = personOf(view, id)?.role;
  if (role === "box") return "box";
  return role === "captain" || role === "crew" ? "team" : null;
}

/** When members may advise; `one_cube`: once the one cube of the team was turned. @param {View} view @returns {string} */
export const advisersOf = ({ terms }) => (terms.consulting === "own_cube" && terms.cubes === "one" ? "one_cube" : terms.consulting);

/** What stands on a cube: an offered double is shown as doubled. @param {MemberCube} cube @returns {number} */
export const shownValue = ({ value, state }) => (state === "offered" || state === "beavered" ? 2 * value : value);

/** Players whose cubes the viewer is to decide about. @param {View} view @returns {Set<number>} */
export function mineToDecide(view) {
  const { decide, answer, beaver_answer, box_answers, box_beaver_answers, box_doubles } = view.actions;
  const lists = [...(box_answers ?? []), ...(box_beaver_answers ?? []), ...(box_doubles ?? [])];
  const own = (decide || answer || beaver_answer) && view.me !== null ? [view.me] : [];
  return new Set([...own, ...lists.map(({ player }) => player)]);
}

/** The content of the board. @param {View} view @param {boolean} locked @returns {import("../../board/board.js").BoardState} */
export function boardState(view, locked) {
  const turn = [view.game, view.turn, view.phase, view.on_roll, view.dice].join("/");
  const side = view.on_roll === null ? "me" : sideOf(view, view.on_roll);
  const mine = view.actions.play || view.actions.advise;
  return {
    position: positionFor(view.board, WAY, 0),
    way: WAY,
    pins: false,
    dice: view.dice ? { values: view.dice, side, key: turn } : null,
    faintDice: faintDice(view, side),
    cube: null,
    graph: mine ? view.graph : null,
    turn,
    last: lastPlay(view),
    tapRolls: false,
    locked,
  };
}

/** The dice of the play before, while the other side is to act. @param {View} view @param {Side} onRoll */
function faintDice(view, onRoll) {
  const last = view.last_play;
  if (!last) return null;
  const side = last.seat === 0 ? "me" : "op";
  return side === onRoll && view.dice ? null : { values: last.dice, side: /** @type {Side} */ (side) };
}

/** Where the last play began and ended, unless the viewer made it. @param {View} view */
function lastPlay(view) {
  const last = view.last_play;
  if (!last || (last.seat === 0 && view.me !== null && moverOf(view, nearParty(view))?.id === view.me)) return null;
  const here = (/** @type {number} */ place) => (last.seat === 1 ? across(WAY, place) : place);
  const ways = arrowsOf(last.moves);
  return {
    side: /** @type {Side} */ (last.seat === 0 ? "me" : "op"),
    from: ways.map(({ from }) => here(from)),
    to: ways.map(({ to }) => here(to)),
  };
}

/** What so many points between two players come to: with credits there is a limit. @param {View} view @param {number} points @returns {number} */
export function limited({ terms }, points) {
  return terms.rate_cents && terms.limit_points ? Math.min(points, terms.limit_points) : points;
}

/** "2 points (1.00 ℂ)". @param {View} view @param {number} points @returns {string} */
export function worth(view, points) {
  const count = limited(view, points);
  const text = sayCount("{count} point", "{count} points", { count });
  return view.terms.rate_cents ? say("{text} ({amount})", { text, amount: money(count * view.terms.rate_cents).replace(" ", "\u00a0") }) : text;
}

/** 2 → "+2", −2 → "−2", 0 → "0". @param {number} points @returns {string} */
export const plus = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");
