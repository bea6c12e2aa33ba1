// @ts-check
/**
 * Pointer and keyboard on the board, turned into wishes.
 *
 * A click or tap names a place; a drag of more than 3 px carries the top checker; arrow keys walk the
 * places as they are drawn. What a wish means is decided by the board, what is legal by the graph.
 */

import { isTop, pointX, placeAt } from "./geometry.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Spot} Spot */

const DRAG_FROM_PX = 3;

/**
 * @typedef {object} Wishes
 * @property {() => Layout} layout
 * @property {(place: number, wish: {other?: boolean, die?: number}) => void} tap
 * @property {() => boolean} unfinished  whether there are moves left to choose
 * @property {(place: number) => boolean} canLift
 * @property {(place: number, spot: Spot) => void} lift
 * @property {(spot: Spot) => void} carry
 * @property {(place: number|null) => void} drop
 */

/** The place an element of the board stands for. @param {EventTarget|null} target @returns {number|null} */
export function placeOf(target) {
  const hit = target instanceof Element ? target.closest("[data-point]") : null;
  const name = hit?.getAttribute("data-point");
  if (name === null || name === undefined) return null;
  return name === "bar" ? 25 : name === "off" ? 0 : Number(name);
}

/** @param {number} place @returns {string} */
export const placeName = (place) => (place === 25 ? "bar" : place === 0 ? "off" : String(place));

/** @param {SVGElement} svg @param {Wishes} wishes */
export function listen(svg, wishes) {
  /** @type {{place: number, x: number, y: number, id: number, lifted: boolean}|null} */
  let press = null;
  let dragged = false;

  const spotOf = (/** @type {PointerEvent} */ event) => {
    const box = svg.getBoundingClientRect();
    const L = wishes.layout();
    return { x: ((event.clientX - box.left) * L.W) / box.width, y: ((event.clientY - box.top) * L.H) / box.height };
  };

  svg.addEventListener("pointerdown", (event) => {
    dragged = false;
    const place = placeOf(event.target);
    if (event.button !== 0 || place === null || !wishes.canLift(place)) return;
    press = { place, x: event.clientX, y: event.clientY, id: event.pointerId, lifted: false };
  });

  svg.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!press.lifted) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) <= DRAG_FROM_PX) return;
      press.lifted = true;
      dragged = true;
      svg.setPointerCapture(press.id);
      wishes.lift(press.place, spotOf(event));
    }
    wishes.carry(spotOf(event));
  });

  const release = (/** @type {PointerEvent} */ event) => {
    if (!press || event.pointerId !== press.id) return;
    const { lifted } = press;
    press = null;
    if (lifted) wishes.drop(event.type === "pointerup" ? placeAt(wishes.layout(), spotOf(event)) : null);
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);

  svg.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place !== null && !dragged) wishes.tap(place, {});
    dragged = false;
  });
  svg.addEventListener("contextmenu", (event) => {
    const place = placeOf(event.target);
    if (place === null) return;
    event.preventDefault();
    press = null;
    wishes.tap(place, { other: true });
  });
  let upper = true;
  svg.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (place === null) return;
    if (place > 0 && place < 25) upper = isTop(place);
    keyOnPlace(event, svg, wishes, place, upper);
  });
}

/** @param {KeyboardEvent} event @param {SVGElement} svg @param {Wishes} wishes @param {number} place @param {boolean} upper */
function keyOnPlace(event, svg, wishes, place, upper) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" || event.key === " ") {
    if (!wishes.unfinished()) return; // then the key means Done or Roll, which the page knows
    event.preventDefault();
    event.stopPropagation();
    wishes.tap(place, {});
  } else if (/^[1-6]$/.test(event.key)) {
    event.preventDefault();
    wishes.tap(place, { die: Number(event.key) });
  } else {
    const next = neighbour(wishes.layout(), place, event.key, upper);
    if (next === null) return;
    event.preventDefault();
    focusPlace(svg, next);
  }
}

/** Make a place the one tab stop of the board and focus it. @param {SVGElement} svg @param {number} place */
export function focusPlace(svg, place) {
  for (const stop of svg.querySelectorAll('[data-point][tabindex="0"]')) stop.setAttribute("tabindex", "-1");
  const next = /** @type {SVGElement|null} */ (svg.querySelector(`[data-point="${placeName(place)}"]`));
  next?.setAttribute("tabindex", "0");
  next?.focus();
}

/**
 * The place an arrow key leads to, as the board is drawn: two rows with the bar in the middle
 * and the off tray at the end.
 * @param {Layout} L @param {number} place @param {string} key
 * @param {boolean} upper  the row one came from; bar and tray belong to both
 * @returns {number|null}
 */
export function neighbour(L, place, key, upper) {
  if (key === "Home") return 24;
  if (key === "End") return 1;
  const rows = [true, false].map((top) => row(L, top));
  const here = upper ? 0 : 1;
  const at = rows[here].indexOf(place);
  if (key === "ArrowLeft") return rows[here][at - 1] ?? null;
  if (key === "ArrowRight") return rows[here][at + 1] ?? null;
  if (key === "ArrowUp") return rows[0][at];
  if (key === "ArrowDown") return rows[1][at];
  return null;
}

/** @param {Layout} L @param {boolean} top @returns {number[]} */
function row(L, top) {
  const points = Array.from({ length: 24 }, (_, i) => i + 1).filter((point) => isTop(point) === top);
  points.sort((a, b) => pointX(L, a) - pointX(L, b));
  const middle = [...points.slice(0, 6), 25, ...points.slice(6)];
  return L.direction > 0 ? [...middle, 0] : [0, ...middle];
}
