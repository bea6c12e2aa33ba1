// @ts-check
/**
 * Where everything on the board lies.
 *
 * A unit is a hundredth of a point's width; a layout is reflowed for its screen, not scaled.
 * All functions are pure: a layout goes in, coordinates in units come out.
 */

/** @typedef {"me"|"op"} Side */
/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{x: number, y: number, w: number, h: number}} Box */

/**
 * @typedef {object} Layout
 * @property {boolean} portrait  trays above and below (phones) instead of beside the points
 * @property {number} direction  1: my home is at the right, -1: at the left
 * @property {number} W  whole width
 * @property {number} H  whole height
 * @property {number} round  radius of the board's corners
 * @property {number} frame  thickness of the wooden frame
 * @property {number} barWidth
 * @property {number} inner  height of the field
 * @property {number} length  length of a point
 * @property {number} r  radius of a checker
 * @property {number} die  edge of a die
 * @property {number} xLeft  left edge of the left half
 * @property {number} xBar  left edge of the bar
 * @property {number} xRight  left edge of the right half
 * @property {number} yTop  upper edge of the field
 * @property {number} yMid
 * @property {number} yBottom
 * @property {{me: Box, op: Box}} off  where borne-off checkers lie
 * @property {Box[]} cubeTrays  where the cube lies; portrait: the row of each side, op first
 */

export const UNIT = 100;
/** Checkers a tray has slots for. */
export const SLOTS = 15;

/** How far a stack may reach beyond the tip of its point before it is pressed together; the dice lie there. */
const STACK_BEYOND = 18;
const WIDE = { frame: 50, bar: 108, cubeTray: 132, offTray: 150, rail: 22, inner: 1040, length: 436, die: 84 };
const TALL = { frame: 18, bar: 88, row: 96, numbers: 42, innerMin: 960, innerMax: 1640, lengthShare: 0.363 };
/** Narrower than this (width : height) the portrait layout shows bigger points. */
const PORTRAIT_BELOW = 1.15;

/**
 * The layout that fits a host element best.
 * @param {number} width  of the host in CSS pixels
 * @param {number} height
 * @param {number} direction
 * @returns {Layout}
 */
export function layoutFor(width, height, direction) {
  return width / Math.max(height, 1) < PORTRAIT_BELOW
    ? tallLayout(width, height, direction)
    : wideLayout(direction);
}

/** @param {number} direction @returns {Layout} */
function wideLayout(direction) {
  const { frame, bar, cubeTray, offTray, rail, inner, length, die } = WIDE;
  const homeRight = direction > 0;
  const left = (homeRight ? cubeTray : offTray) + rail;
  const W = 2 * frame + cubeTray + offTray + 2 * rail + 12 * UNIT + bar;
  const H = 2 * frame + inner;
  const xLeft = frame + left;
  const trayHeight = inner * 0.43;
  const xOff = homeRight ? W - frame - offTray : frame;
  const xCube = homeRight ? frame : W - frame - cubeTray;
  return {
    portrait: false, direction, W, H, round: 30, frame, barWidth: bar, inner, length, r: 46.6, die,
    xLeft, xBar: xLeft + 6 * UNIT, xRight: xLeft + 6 * UNIT + bar,
    yTop: frame, yMid: frame + inner / 2, yBottom: frame + inner,
    off: {
      me: { x: xOff, y: frame + inner - trayHeight, w: offTray, h: trayHeight },
      op: { x: xOff, y: frame, w: offTray, h: trayHeight },
    },
    cubeTrays: [{ x: xCube, y: frame, w: cubeTray, h: inner }],
  };
}

/** @param {number} width @param {number} height @param {number} direction @returns {Layout} */
function tallLayout(width, height, direction) {
  const { frame, bar, row, numbers, innerMin, innerMax, lengthShare } = TALL;
  const W = 2 * frame + 12 * UNIT + bar;
  const around = 2 * (frame + row + numbers);
  const wanted = (height * W) / Math.max(width, 1) - around;
  const inner = Math.max(innerMin, Math.min(innerMax, wanted));
  const H = inner + around;
  const xRight = frame + 6 * UNIT + bar;
  const homeRight = direction > 0;
  const xHome = homeRight ? xRight : frame;
  const xAway = homeRight ? frame : xRight;
  const yLow = H - frame - row;
  return {
    portrait: true, direction, W, H, round: 34, frame, barWidth: bar, inner, length: inner * lengthShare,
    r: 47.2, die: 122,
    xLeft: frame, xBar: frame + 6 * UNIT, xRight,
    yTop: frame + row + numbers, yMid: H / 2, yBottom: H - frame - row - numbers,
    off: {
      me: { x: xHome, y: yLow, w: 6 * UNIT, h: row },
      op: { x: xHome, y: frame, w: 6 * UNIT, h: row },
    },
    cubeTrays: [
      { x: xAway, y: frame, w: 6 * UNIT, h: row },
      { x: xAway, y: yLow, w: 6 * UNIT, h: row },
    ],
  };
}

/** Middle of a point's column. @param {Layout} L @param {number} point @returns {number} */
export function pointX(L, point) {
  let column = point <= 12 ? 12 - point : point - 13;
  if (L.direction < 0) column = 11 - column;
  return (column < 6 ? L.xLeft : L.xRight - 6 * UNIT) + column * UNIT + UNIT / 2;
}

/** @param {number} point @returns {boolean} */
export const isTop = (point) => point > 12;

/** Distance between neighbours in a stack of n. @param {Layout} L @param {number} n @returns {number} */
function pitch(L, n) {
  const full = 2 * L.r + 1.4;
  return n < 2 ? full : Math.min(full, (L.length + STACK_BEYOND - 2 * L.r) / (n - 1));
}

/**
 * Centre of the checker number `index` (0 at the frame) in a stack of n on a point.
 * @param {Layout} L @param {number} point @param {number} index @param {number} n
 * @returns {Spot}
 */
export function stackSpot(L, point, index, n) {
  const away = L.r + 5 + index * pitch(L, Math.max(n, index + 1));
  return { x: pointX(L, point), y: isTop(point) ? L.yTop + 3 + away : L.yBottom - 3 - away };
}

/** Centre of a checker on the bar; mine wait in the upper half, where they will enter.
 * @param {Layout} L @param {Side} side @param {number} index @param {number} n @returns {Spot} */
export function barSpot(L, side, index, n) {
  const first = L.portrait ? 150 : 120;
  const room = L.inner / 2 - first - L.r - 8;
  const step = n > 1 ? Math.min(2 * L.r + 1.4, room / (n - 1)) : 0;
  const away = first + index * step;
  return { x: L.xBar + L.barWidth / 2, y: side === "me" ? L.yMid - away : L.yMid + away };
}

/** The slot number `index` of a side's off tray. @param {Layout} L @param {Side} side @param {number} index @returns {Box} */
export function traySlot(L, side, index) {
  const tray = L.off[side];
  if (L.portrait) {
    const step = (tray.w - 12) / SLOTS;
    return { x: tray.x + 8 + index * step, y: tray.y + 12, w: step - 6, h: tray.h - 24 };
  }
  const step = (tray.h - 9) / SLOTS;
  const y = side === "me" ? tray.y + tray.h - 6 - (index + 1) * step : tray.y + 6 + index * step;
  return { x: tray.x + 12, y: y + 1, w: tray.w - 24, h: step - 3 };
}

/** @param {Box} box @returns {Spot} */
export const middle = (box) => ({ x: box.x + box.w / 2, y: box.y + box.h / 2 });

/**
 * Centre and edge of the cube: on the middle of the bar until somebody owns it.
 * @param {Layout} L
 * @param {Side|null} owner
 * @param {Side|null} offeredTo  the side that has to answer a double
 * @returns {{x: number, y: number, size: number}}
 */
export function cubeSpot(L, owner, offeredTo) {
  if (L.portrait) {
    if (offeredTo || !owner) {
      const lean = offeredTo === "me" ? 1 : offeredTo === "op" ? -1 : 0;
      const y = L.yMid + lean * L.inner * 0.19;
      return { x: L.xBar + L.barWidth / 2, y, size: 84 };
    }
    const row = L.cubeTrays[owner === "op" ? 0 : 1];
    return { x: row.x + (L.direction > 0 ? 70 : row.w - 70), y: row.y + row.h / 2, size: 78 };
  }
  if (!owner && !offeredTo) return { x: L.xBar + L.barWidth / 2, y: L.yMid, size: 96 };
  const x = L.cubeTrays[0].x + L.cubeTrays[0].w / 2;
  if (offeredTo) return { x, y: L.yMid + (offeredTo === "me" ? 190 : -190), size: 100 };
  return { x, y: owner === "me" ? L.yBottom - 84 : owner === "op" ? L.yTop + 84 : L.yMid, size: 96 };
}

/**
 * Centre and edge of die number `index` of n. Mine lie at the left of the right half (the buttons and the note lie
 * beside them), theirs in the left half;
 * faint dice of the last roll are smaller (portrait: in the row of their cube).
 * @param {Layout} L @param {Side} side @param {number} index @param {number} n @param {boolean} faint
 * @returns {{x: number, y: number, size: number, turn: number}}
 */
export function dieSpot(L, side, index, n, faint) {
  const turn = index % 2 ? 3 : -4;
  if (faint && L.portrait) {
    const row = L.cubeTrays[side === "op" ? 0 : 1];
    const x = L.direction > 0 ? row.x + row.w - 76 - (n - 1 - index) * 84 : row.x + 76 + index * 84;
    return { x, y: row.y + row.h / 2, size: 62, turn: 0 };
  }
  const size = L.die * (faint ? 0.8 : 1) * (n > 2 && !L.portrait ? 0.78 : 1);
  const wide = !L.portrait && side === "me";
  const centre = side === "op" ? L.xLeft + 3 * UNIT : wide ? L.xRight + 46 + n * size * 0.62 : L.xRight + 3 * UNIT;
  return { x: centre + (index - (n - 1) / 2) * size * 1.24, y: L.yMid, size, turn };
}

/**
 * The hit area of a point: its column, from the frame to just before the middle.
 * @param {Layout} L @param {number} point @returns {Box}
 */
export function pointBox(L, point) {
  const y = isTop(point) ? L.yTop + 2 : L.yMid + 4;
  return { x: pointX(L, point) - UNIT / 2 + 1, y, w: UNIT - 2, h: L.inner / 2 - 6 };
}

/** The hit area of the bar. @param {Layout} L @returns {Box} */
export const barBox = (L) => ({ x: L.xBar + 9, y: L.yTop, w: L.barWidth - 18, h: L.inner });

/**
 * The place under a spot: 1–24, 25 (bar), 0 (my off tray) or null.
 * @param {Layout} L @param {Spot} spot @returns {number|null}
 */
export function placeAt(L, spot) {
  const inside = (/** @type {Box} */ b) =>
    spot.x >= b.x && spot.x <= b.x + b.w && spot.y >= b.y && spot.y <= b.y + b.h;
  if (inside(L.off.me)) return 0;
  for (let point = 1; point <= 24; point += 1) if (inside(pointBox(L, point))) return point;
  return inside(barBox(L)) ? 25 : null;
}
