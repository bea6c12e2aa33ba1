// @ts-check
/**
 * A position as the board draws it: both sides in the numbering of the viewer.
 *
 * Place 1–24 is a point, 25 the bar, 0 off. There are no rules of legal moves here;
 * `moved` only carries out a move that the server's graph allows.
 */

/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {"against"|"half"|"same"} Way  how the two players' numberings belong together */

/**
 * @typedef {object} Position
 * @property {number[]} me  checkers of mine by place, 26 numbers
 * @property {number[]} op
 * @property {{me: number, op: number}} hand  checkers that have not entered yet
 * @property {Map<number, Side>} pinned  point → side of the one checker that lies underneath
 */

/**
 * @typedef {object} WireBoard  the view's `board`, in seat 0's numbering
 * @property {number[]} points
 * @property {[number, number]} bar
 * @property {[number, number]} off
 * @property {[number, number]} hand
 * @property {number[]} pinned
 */

/** The same point in the other player's numbering. @param {Way} way @param {number} place @returns {number} */
export function across(way, place) {
  if (place === 0 || place === 25 || way === "same") return place;
  if (way === "half") return place > 12 ? place - 12 : place + 12;
  return 25 - place;
}

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "me" ? "op" : "me");

/**
 * The view's board as `seat` sees it.
 * @param {WireBoard} board @param {Way} way @param {number} seat @returns {Position}
 */
export function positionFor(board, way, seat) {
  /** @type {Position} */
  const position = {
    me: new Array(26).fill(0),
    op: new Array(26).fill(0),
    hand: { me: board.hand[seat], op: board.hand[1 - seat] },
    pinned: new Map(),
  };
  const [first, second] = seat === 0 ? [position.me, position.op] : [position.op, position.me];
  board.points.forEach((count, i) => {
    const place = seat === 0 ? i + 1 : across(way, i + 1);
    if (count > 0) first[place] = count;
    if (count < 0) second[place] = -count;
  });
  for (const point of board.pinned) {
    const place = seat === 0 ? point : across(way, point);
    /** @type {Side} */
    const below = position.me[place] > 0 ? "op" : "me";
    position[below][place] += 1;
    position.pinned.set(place, below);
  }
  for (const [places, owner] of /** @type {[number[], number][]} */ ([[position.me, seat], [position.op, 1 - seat]])) {
    places[25] = board.bar[owner];
    places[0] = board.off[owner];
  }
  return position;
}

/** @param {Position} position @returns {Position} */
export function copied(position) {
  return {
    me: [...position.me],
    op: [...position.op],
    hand: { ...position.hand },
    pinned: new Map(position.pinned),
  };
}

/**
 * The position after one move of mine.
 * @param {Position} position
 * @param {number} from  1–25; 25 is the bar, or the hand when the bar is empty
 * @param {number} to  0–24
 * @param {boolean} pins  whether a single opposing checker is pinned (else it goes to the bar)
 * @returns {Position}
 */
export function moved(position, from, to, pins) {
  const next = copied(position);
  if (from === 25 && next.me[25] === 0) next.hand.me -= 1;
  else next.me[from] -= 1;
  if (next.pinned.get(from) === "op" && next.me[from] === 0) next.pinned.delete(from);
  next.me[to] += 1;
  if (to > 0 && next.op[to] === 1 && !next.pinned.has(to)) {
    if (pins) {
      next.pinned.set(to, "op");
    } else {
      next.op[to] = 0;
      next.op[25] += 1;
    }
  }
  return next;
}

/** Pips left, each side's by its own numbering. @param {Position} position @param {Way} way @returns {{me: number, op: number}} */
export function pips(position, way) {
  let me = 25 * position.hand.me;
  let op = 25 * position.hand.op;
  for (let place = 1; place <= 25; place += 1) {
    me += place * position.me[place];
    op += across(way, place) * position.op[place];
  }
  return { me, op };
}
