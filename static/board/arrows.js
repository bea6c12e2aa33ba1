// @ts-check
/**
 * Arrows over the board: the moves of a play, each a path with an under-stroke, a head and a badge.
 *
 * Arrows are decoration (`aria-hidden`): the page shows the same play as text. The first and the second
 * play differ by width and badge, a wrong one is dashed, so that colour never carries the meaning alone.
 */

import { SLOTS, middle, stackSpot, traySlot } from "./geometry.js";
import { topSpot } from "./marks.js";
import { other } from "./position.js";
import { element } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./position.js").Position} Position */

/**
 * @typedef {object} Arrow
 * @property {Side} side  whose checker moves
 * @property {number} from  1–25 in the viewer's numbering; 25 is the bar, or the hand
 * @property {number} to  0–24; 0 is off
 * @property {"best"|"second"|"wrong"} kind
 * @property {string} [badge]  a number or a letter
 */

const WIDTHS = { best: 13, second: 9, wrong: 9 };
/** How far an arrow bends, as a share of its length. */
const BEND = 0.1;
const BADGE_RADIUS = 25;
/** The badge of an arrow shorter than this lies on the checker. */
const SHORT = 190;
/** Badges of arrows that lie beside each other stand at different places along them. */
const BADGE_AT = [0.52, 0.4, 0.64, 0.46];

/**
 * The arrows of one play. Steps of one checker become one arrow, equal moves one arrow.
 * @param {[number, number, ...unknown[]][]} moves  from and to, in the viewer's numbering
 * @param {{side?: Side, kind?: "best"|"second"|"wrong", badge?: string}} [look]
 * @returns {Arrow[]}
 */
export function arrowsOf(moves, { side = "me", kind = "best", badge } = {}) {
  /** @type {[number, number][]} */
  const ways = [];
  for (const [from, to] of moves) {
    const continued = ways.find((way) => way[1] === from);
    if (continued) continued[1] = to;
    else ways.push([from, to]);
  }
  const seen = new Set();
  const single = ways.filter(([from, to]) => !seen.has(`${from}/${to}`) && seen.add(`${from}/${to}`));
  return single.map(([from, to]) => ({ side, from, to, kind, ...(badge ? { badge } : {}) }));
}

/** Draw arrows in place of those before. The first one lies on top. @param {SVGElement} layer @param {Layout} L @param {Position} position @param {Arrow[]} arrows */
export function drawArrows(layer, L, position, arrows) {
  const drawn = arrows.map((arrow, i) => {
    const same = arrows.slice(0, i).filter(({ kind, side, to }) => kind === arrow.kind && side === arrow.side && to === arrow.to);
    return drawArrow(L, position, arrow, { badgeAt: BADGE_AT[i % BADGE_AT.length], above: same.length });
  });
  layer.replaceChildren(...drawn.map(({ line }) => line).reverse(), ...drawn.flatMap(({ badge }) => badge ?? []).reverse());
}

/**
 * @param {Layout} L @param {Position} position @param {Arrow} arrow
 * @param {{badgeAt: number, above: number}} place  above: how many arrows of the play end at the same point before
 * @returns {{line: SVGElement, badge: SVGElement|null}}
 */
function drawArrow(L, position, arrow, { badgeAt, above }) {
  const width = WIDTHS[arrow.kind];
  const start = topSpot(L, position, arrow.side, arrow.from);
  const end = endSpot(L, position, arrow, above);
  const bend = bendOf(L, start, end);
  const tipFrom = unit(bend, end);
  const base = { x: end.x - tipFrom.x * width * 2.6, y: end.y - tipFrom.y * width * 2.6 };
  const d = `M${text(start)}Q${text(bend)} ${text(base)}`;
  const head = headPath(end, base, tipFrom, width);
  const line = element(
    "g", { class: `bg-arrow bg-${arrow.kind}`, "data-arrow": `${arrow.from}/${arrow.to}` },
    element("path", { class: "bg-arrow-under", d, "stroke-width": width + 7 }),
    element("path", { class: "bg-arrow-head bg-arrow-under", d: head, "stroke-width": 7 }),
    element("path", { class: "bg-arrow-line", d, "stroke-width": width }),
    element("path", { class: "bg-arrow-head", d: head }),
  );
  if (!arrow.badge) return { line, badge: null };
  const short = Math.hypot(end.x - start.x, end.y - start.y) < SHORT;
  const at = along(start, bend, base, short ? 0 : badgeAt);
  const badge = element(
    "g", { class: `bg-arrow-badge bg-${arrow.kind}`, transform: `translate(${text(at)})` },
    element("circle", { r: BADGE_RADIUS }), element("text", { y: 11 }, arrow.badge),
  );
  return { line, badge };
}

/** Where a checker comes to lie: on what it hits, on the next free place, or in the tray. @param {Layout} L @param {Position} position @param {Arrow} arrow @param {number} above @returns {Spot} */
function endSpot(L, position, { side, to }, above) {
  if (to === 0) return middle(traySlot(L, side, Math.min(position[side][0] + above, SLOTS - 1)));
  const hits = position[other(side)][to] === 1 && position[side][to] === 0;
  const lying = hits ? 0 : position[side][to] + position[other(side)][to];
  return stackSpot(L, to, lying + above, lying + above + 1);
}

/** The control point of the curve, bent towards the middle of the board. @param {Layout} L @param {Spot} start @param {Spot} end @returns {Spot} */
function bendOf(L, start, end) {
  const way = { x: end.x - start.x, y: end.y - start.y };
  const centre = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  const across = { x: -way.y * BEND * 2, y: way.x * BEND * 2 };
  const towards = Math.abs(across.y) >= Math.abs(across.x) ? (L.yMid - centre.y) * across.y >= 0 : across.x >= 0;
  const sign = towards ? 1 : -1;
  return { x: centre.x + sign * across.x, y: centre.y + sign * across.y };
}

/** @param {Spot} tip @param {Spot} base @param {Spot} direction @param {number} width @returns {string} */
function headPath(tip, base, direction, width) {
  const half = width * 1.5;
  const one = { x: base.x - direction.y * half, y: base.y + direction.x * half };
  const two = { x: base.x + direction.y * half, y: base.y - direction.x * half };
  return `M${text(tip)}L${text(one)}L${text(two)}Z`;
}

/** The direction from one spot to another, of length 1. @param {Spot} from @param {Spot} to @returns {Spot} */
function unit(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** A spot on the curve; share 0 is its beginning. @param {Spot} start @param {Spot} bend @param {Spot} end @param {number} share @returns {Spot} */
function along(start, bend, end, share) {
  const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
  return { x: a * start.x + b * bend.x + c * end.x, y: a * start.y + b * bend.y + c * end.y };
}

/** @param {Spot} spot @returns {string} */
const text = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
