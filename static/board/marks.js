// @ts-check
/** Rings, dots and crosses that mark what can move, where it can go and what has just moved. */

import { barSpot, middle, stackSpot, traySlot } from "./geometry.js";
import { element } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./position.js").Position} Position */

/**
 * @typedef {object} Marking
 * @property {Set<number>} movable  places a checker of mine can leave
 * @property {number|null} selected
 * @property {Map<number, boolean>} targets  place → whether something is hit there
 * @property {{side: Side, from: number[], to: number[]}|null} last  the last play, in my numbering
 * @property {number[]} origins  where the moves of the unfinished play began
 */

/** Draw all marks. @param {SVGElement} layer @param {Layout} L @param {Position} position @param {Marking} marking */
export function drawMarks(layer, L, position, marking) {
  layer.textContent = "";
  if (marking.last) layer.append(...lastPlay(L, position, marking.last));
  for (const place of new Set(marking.origins)) {
    layer.append(ring("bg-ghost", freeSpot(L, position, "me", place), L.r - 6));
  }
  for (const place of marking.movable) {
    if (place === marking.selected) continue;
    const spot = topSpot(L, position, "me", place);
    layer.append(ring("bg-movable-edge", spot, L.r - 5.6), ring("bg-movable", spot, L.r - 1.5));
  }
  for (const [place, hits] of marking.targets) layer.append(...target(L, position, place, hits));
  if (marking.selected !== null) {
    const spot = topSpot(L, position, "me", marking.selected);
    layer.append(
      ring("bg-halo", spot, L.r + 3), ring("bg-movable-edge", spot, L.r - 7.4), ring("bg-selected", spot, L.r - 2),
    );
  }
}

/** @param {Layout} L @param {Position} position @param {{side: Side, from: number[], to: number[]}} last */
function lastPlay(L, position, last) {
  const marks = [];
  for (const place of new Set(last.from)) {
    if (place < 25) marks.push(ring("bg-last-from", freeSpot(L, position, last.side, place), L.r - 6));
  }
  for (const place of new Set(last.to)) {
    if (place > 0 && position[last.side][place] > 0) {
      marks.push(ring("bg-last-to", topSpot(L, position, last.side, place), L.r - 1.5));
    }
  }
  return marks;
}

/** @param {Layout} L @param {Position} position @param {number} place @param {boolean} hits */
function target(L, position, place, hits) {
  if (place === 0) {
    const { x, y, w, h } = L.off.me;
    const frame = { x: x + 4, y: y + 4, width: w - 8, height: h - 8, rx: 8 };
    return [element("rect", { class: "bg-target", ...frame })];
  }
  const spot = hits ? topSpot(L, position, "op", place) : freeSpot(L, position, "me", place);
  const inside = hits
    ? element("path", { class: "bg-target-cross", d: `M${spot.x - 13} ${spot.y - 13}l26 26m0 -26l-26 26` })
    : element("circle", { class: "bg-target-dot", cx: spot.x, cy: spot.y, r: 10 });
  return [ring("bg-target", spot, L.r - 4), inside];
}

/** @param {string} name @param {Spot} spot @param {number} r */
const ring = (name, spot, r) => element("circle", { class: name, cx: spot.x, cy: spot.y, r });

/** Checkers of both sides on a point. @param {Position} position @param {number} place */
const standing = (position, place) => position.me[place] + position.op[place];

/** Where the uppermost checker of a place lies. @param {Layout} L @param {Position} position @param {Side} side @param {number} place @returns {Spot} */
export function topSpot(L, position, side, place) {
  if (place === 25 && position[side][25] === 0) {
    return middle(traySlot(L, side, Math.min(position.hand[side] - 1, 14)));
  }
  if (place === 25) return barSpot(L, side, position[side][25] - 1, position[side][25]);
  const n = standing(position, place);
  return stackSpot(L, place, Math.max(n - 1, 0), n);
}

/** Where the next checker of a side would lie. @param {Layout} L @param {Position} position @param {Side} side @param {number} place @returns {Spot} */
function freeSpot(L, position, side, place) {
  if (place === 25) return barSpot(L, side, position[side][25], position[side][25] + 1);
  const n = standing(position, place);
  return stackSpot(L, place, n, n + 1);
}
