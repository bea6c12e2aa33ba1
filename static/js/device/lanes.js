// @ts-check
/**
 * A board as the nets see it: 27 bytes, as in backgammon/evaluation/nets/boards.py. The low half of a byte counts the
 * checkers of the player in whose view it is, the high half the opponent's: 0 borne off, 1 to 24 the points, 25 the bar.
 */

/** @typedef {Uint8Array} Lanes */
/** @typedef {import("../analysis/position.js").Setup} Setup */

export const CHECKERS = 15;
export const BAR = 25;
const LANES = 27;

/** The position as the player on roll sees it. @param {Pick<Setup, "points"|"bar"|"off"|"turn">} setup @returns {Lanes} */
export function lanesOf(setup) {
  const lanes = new Uint8Array(LANES);
  const mine = setup.turn;
  setup.points.forEach((count, i) => {
    const own = mine === 0 ? count : -count;
    lanes[mine === 0 ? i + 1 : 24 - i] = own > 0 ? own : -own << 4;
  });
  lanes[BAR] = setup.bar[mine] | (setup.bar[1 - mine] << 4);
  lanes[0] = setup.off[mine] | (setup.off[1 - mine] << 4);
  return lanes;
}

/** The same board as the opponent sees it. @param {Lanes} lanes @returns {Lanes} */
export function turned(lanes) {
  const swapped = (/** @type {number} */ byte) => (byte >> 4) | ((byte & 15) << 4);
  return lanes.map((byte, lane) => swapped(lane >= 1 && lane <= 24 ? lanes[25 - lane] : byte));
}

/** Pips of the player in whose view it is, and of the opponent. @param {Lanes} lanes @returns {[number, number]} */
export function pipsOf(lanes) {
  let [mine, theirs] = [0, 25 * (lanes[BAR] >> 4)];
  for (let lane = 1; lane <= BAR; lane += 1) mine += lane * (lanes[lane] & 15);
  for (let lane = 1; lane < BAR; lane += 1) theirs += (25 - lane) * (lanes[lane] >> 4);
  return [mine, theirs];
}

/** Whether no checker can meet one of the other side any more. @param {Lanes} lanes @returns {boolean} */
export function isRace(lanes) {
  let highest = 0;
  let lowest = BAR;
  for (let lane = 1; lane <= BAR; lane += 1) if (lanes[lane] & 15) highest = lane;
  for (let lane = 24; lane >= 1; lane -= 1) if (lanes[lane] >> 4) lowest = lane;
  if (lanes[BAR] >> 4) lowest = 0;
  return highest < lowest || highest === 0;
}
