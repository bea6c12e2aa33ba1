// @ts-check
/**
 * The thirty checkers as lasting objects: each keeps its identity from position to position,
 * so that only what has changed moves.
 */

import { barSpot, middle, stackSpot, traySlot } from "./geometry.js";
import { across } from "./position.js";
import { checker, setCount } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./position.js").Way} Way */

/** Place of a checker that is still in the hand; drawn in the tray like one that is off. */
export const HAND = 26;
const EASE = "cubic-bezier(.2,.8,.2,1)";
const STAGGER = 0.45;
/** Above every height in a stack, until the stack is numbered again. */
const ARRIVES = 50;

/**
 * @typedef {object} Piece
 * @property {Side} side
 * @property {number} place  1–24, 25 bar, 0 off, 26 hand
 * @property {number} index  height in its stack
 * @property {SVGElement} drawn
 * @property {Spot} at  where it is drawn
 */

export class Pieces {
  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {Piece[]} */
    this.all = [];
    /** @type {Way} */
    this.way = "against";
    this.r = 0;
  }

  /**
   * Bring the checkers to a position.
   * @param {Layout} L @param {Position} position @param {Way} way
   * @param {number} duration_ms  0: at once
   */
  show(L, position, way, duration_ms) {
    this.way = way;
    if (this.r !== L.r) this.clear();
    this.r = L.r;
    const movers = [...this.reassign(position, "me"), ...this.reassign(position, "op")];
    const delays = new Map(movers.map((piece, i) => [piece, i * duration_ms * STAGGER]));
    for (const piece of movers) this.layer.append(piece.drawn);
    for (const piece of this.all) {
      this.place(piece, spotOf(L, position, piece), duration_ms, delays.get(piece) ?? 0);
      piece.drawn.classList.toggle("bg-away", piece.place === 0 || piece.place === HAND);
      setCount(piece.drawn, null, this.r);
    }
    this.restack(position);
  }

  clear() {
    for (const piece of this.all) piece.drawn.remove();
    this.all = [];
  }

  /** The topmost checker of a side on a place. @param {Side} side @param {number} place @returns {Piece|undefined} */
  top(side, place) {
    const here = this.all.filter((piece) => piece.side === side && piece.place === place);
    return here.sort((a, b) => b.index - a.index)[0];
  }

  /**
   * Give every checker of a side its place, moving as few as possible.
   * @param {Position} position @param {Side} side @returns {Piece[]}  those that change place, in the order of their run
   */
  reassign(position, side) {
    const wanted = new Map(position[side].map((count, place) => [place, count]));
    wanted.set(HAND, position.hand[side]);
    const mine = this.all.filter((piece) => piece.side === side).sort((a, b) => a.index - b.index);
    /** @type {Piece[]} */
    const surplus = [];
    for (const piece of mine) {
      const room = wanted.get(piece.place) ?? 0;
      if (room > 0) wanted.set(piece.place, room - 1);
      else surplus.push(piece);
    }
    const vacant = [...wanted].flatMap(([place, count]) => new Array(count).fill(place));
    const run = (/** @type {number} */ place) => (side === "me" ? place : across(this.way, Math.min(place, 25)));
    surplus.sort((a, b) => run(b.place) - run(a.place));
    vacant.sort((a, b) => run(b) - run(a));
    while (surplus.length > vacant.length) this.remove(/** @type {Piece} */ (surplus.pop()));
    const fresh = vacant.splice(surplus.length);
    // what comes to a stack lies on its top, as it is drawn above the rest
    for (const [i, piece] of surplus.entries()) Object.assign(piece, { place: vacant[i], index: ARRIVES + i });
    for (const place of fresh) this.add(side, place);
    this.reindex(position, side);
    return surplus;
  }

  /** @param {Position} position @param {Side} side */
  reindex(position, side) {
    /** @type {Map<number, Piece[]>} */
    const stacks = new Map();
    for (const piece of this.all) {
      if (piece.side === side) stacks.set(piece.place, [...(stacks.get(piece.place) ?? []), piece]);
    }
    for (const [place, stack] of stacks) {
      const lift = position.pinned.has(place) && position.pinned.get(place) !== side ? 1 : 0;
      stack.sort((a, b) => a.index - b.index);
      for (const [i, piece] of stack.entries()) piece.index = i + lift;
    }
  }

  /** @param {Side} side @param {number} place */
  add(side, place) {
    const drawn = checker(side, this.r);
    this.layer.append(drawn);
    this.all.push({ side, place, index: ARRIVES, drawn, at: { x: NaN, y: NaN } });
  }

  /** @param {Piece} piece */
  remove(piece) {
    piece.drawn.remove();
    this.all.splice(this.all.indexOf(piece), 1);
  }

  /** Put the higher checkers of a stack above the lower ones and write the counts. @param {Position} position */
  restack(position) {
    for (let place = 1; place <= 25; place += 1) {
      for (const side of /** @type {const} */ (["me", "op"])) {
        const limit = place === 25 ? 3 : 5;
        const top = position[side][place] > limit ? this.top(side, place) : undefined;
        if (top) {
          this.layer.append(top.drawn);
          setCount(top.drawn, position[side][place], this.r);
        }
      }
    }
  }

  /** @param {Piece} piece @param {Spot} to @param {number} duration_ms @param {number} delay_ms */
  place(piece, to, duration_ms, delay_ms) {
    const from = piece.at;
    piece.at = to;
    piece.drawn.setAttribute("transform", `translate(${to.x} ${to.y})`);
    if (Number.isNaN(from.x) || duration_ms === 0 || (from.x === to.x && from.y === to.y)) return;
    piece.drawn.animate(
      [{ transform: `translate(${from.x}px, ${from.y}px)` }, { transform: `translate(${to.x}px, ${to.y}px)` }],
      { duration: duration_ms, delay: delay_ms, easing: EASE, fill: "backwards" },
    );
  }

  /** Let a checker follow the pointer. @param {Piece} piece @param {Spot} spot */
  carry(piece, spot) {
    piece.at = spot;
    this.layer.append(piece.drawn);
    piece.drawn.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  }
}

/** @param {Layout} L @param {Position} position @param {Piece} piece @returns {Spot} */
function spotOf(L, position, piece) {
  const { side, place, index } = piece;
  if (place === 25) return barSpot(L, side, index, position[side][25]);
  if (place === 0 || place === HAND) return middle(traySlot(L, side, Math.min(index, 14)));
  const both = position[side][place] + (position.pinned.has(place) ? 1 : 0);
  return stackSpot(L, place, index, both);
}
