// @ts-check
/**
 * A position as it is set up: plain values, changed by copying. Light is 0, plays upwards from the lower right
 * and has the numbers on the board. There are no rules here; the server checks every position.
 */

/**
 * @typedef {object} Setup
 * @property {string} xgid
 * @property {number[]} points  light's view: light counts positive, dark negative
 * @property {[number, number]} bar
 * @property {[number, number]} off
 * @property {number} cube
 * @property {0|1|null} owner
 * @property {0|1} turn
 * @property {number[]|null} dice
 * @property {[number, number]} score
 * @property {number} length  0 is unlimited
 * @property {boolean} crawford
 * @property {boolean} jacoby
 * @property {boolean} beavers
 */

/** @typedef {0|1} Colour */

export const CHECKERS = 15;
/** The notation's largest cube; nobody sets it. */
const CUBE_CAP_POWER = 10;

/** @param {Setup} setup @param {Colour} colour @param {number} place  1–24, or 25 for the bar @returns {number} */
export function countAt(setup, colour, place) {
  if (place === 25) return setup.bar[colour];
  const count = setup.points[place - 1];
  return Math.max(0, colour === 0 ? count : -count);
}

/** The setup with so many checkers of a colour on a place; what is missing is borne off. @param {Setup} setup @param {Colour} colour @param {number} place @param {number} count @returns {Setup} */
export function withCount(setup, colour, place, count) {
  const points = [...setup.points];
  /** @type {[number, number]} */
  const bar = [...setup.bar];
  const free = CHECKERS - placed(setup, colour) + countAt(setup, colour, place);
  const wanted = Math.max(0, Math.min(count, free));
  if (place === 25) bar[colour] = wanted;
  else if (wanted || countAt(setup, colour, place)) points[place - 1] = colour === 0 ? wanted : -wanted;
  return finished({ ...setup, points, bar });
}

/** The checkers of a colour on points and bar. @param {Setup} setup @param {Colour} colour @returns {number} */
export function placed(setup, colour) {
  return setup.points.reduce((sum, count) => sum + Math.max(0, colour === 0 ? count : -count), setup.bar[colour]);
}

/** Both colours and everything they have change sides. @param {Setup} setup @returns {Setup} */
export function mirrored(setup) {
  return finished({
    ...setup,
    points: setup.points.map((count) => -count).reverse(),
    bar: [setup.bar[1], setup.bar[0]],
    score: [setup.score[1], setup.score[0]],
    owner: setup.owner === null ? null : setup.owner === 0 ? 1 : 0,
    turn: setup.turn === 0 ? 1 : 0,
  });
}

/** An empty board; all checkers are off. @param {Setup} setup @returns {Setup} */
export const cleared = (setup) => finished({ ...setup, points: new Array(24).fill(0), bar: [0, 0], dice: null });

/** The setup with what follows from the rest: the trays and the line. @param {Setup} setup @returns {Setup} */
export function finished(setup) {
  /** @type {Setup} */
  const next = { ...setup, off: [CHECKERS - placed(setup, 0), CHECKERS - placed(setup, 1)] };
  return { ...next, xgid: xgidOf(next) };
}

/** @param {Setup} setup @returns {string} */
export function xgidOf(setup) {
  const signs = /** @type {const} */ ([1, -1]);
  const letter = (/** @type {number} */ count) =>
    count > 0 ? String.fromCharCode(64 + count) : count < 0 ? String.fromCharCode(96 - count) : "-";
  const board = [letter(-setup.bar[1]), ...setup.points.map(letter), letter(setup.bar[0])].join("");
  const rule = setup.length ? Number(setup.crawford) : Number(setup.jacoby) + 2 * Number(setup.beavers);
  const fields = [
    board, Math.log2(setup.cube), setup.owner === null ? 0 : signs[setup.owner], signs[setup.turn],
    setup.dice?.join("") ?? "00", ...(setup.length ? setup.score : [0, 0]), rule, setup.length, CUBE_CAP_POWER,
  ];
  return `XGID=${fields.join(":")}`;
}

/** Pips of light and dark. @param {Setup} setup @returns {[number, number]} */
export function pipsOf(setup) {
  let [light, dark] = [25 * setup.bar[0], 25 * setup.bar[1]];
  setup.points.forEach((count, i) => {
    if (count > 0) light += count * (i + 1);
    else dark -= count * (24 - i);
  });
  return [light, dark];
}

/** What the board shows. @param {Setup} setup @returns {import("../../board/board.js").BoardState} */
export function boardStateOf(setup) {
  const me = new Array(26).fill(0);
  const op = new Array(26).fill(0);
  for (let place = 1; place <= 25; place += 1) {
    me[place] = countAt(setup, 0, place);
    op[place] = countAt(setup, 1, place);
  }
  [me[0], op[0]] = setup.off;
  const sides = /** @type {const} */ (["me", "op"]);
  return {
    position: { me, op, hand: { me: 0, op: 0 }, pinned: new Map() },
    way: "against", pins: false,
    dice: setup.dice && { values: setup.dice, side: sides[setup.turn], key: "" },
    faintDice: null,
    cube: { value: setup.cube, owner: setup.owner === null ? null : sides[setup.owner], offeredTo: null, ready: false, resting: false },
    graph: null, turn: "", last: null, tapRolls: false, locked: true,
  };
}
