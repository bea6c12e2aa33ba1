// @ts-check
/** The fixed parts: frame, grain, field, points, bar, trays and the numbers of the points. */

import { SLOTS, UNIT, isTop, pointX, traySlot } from "./geometry.js";
import { definitions, element } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Box} Box */

const GRAIN_LINES = 64;
/** How strong the lines of the grain are; those of one strength are one path. */
const GRAIN_OPACITIES = [0.07, 0.11, 0.15, 0.19];

/** A small generator with a fixed seed, so that the wood looks the same every time. @param {number} seed */
function sequence(seed) {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

/** @param {Layout} L @returns {SVGElement} */
function grain(L) {
  const next = sequence(41);
  const lines = GRAIN_OPACITIES.map(() => "");
  for (let i = 0; i < GRAIN_LINES; i += 1) {
    const y = next() * L.H;
    const bend = 6 + next() * 14;
    const line = [
      `M-20 ${y}`,
      `C${L.W * 0.25} ${y + bend} ${L.W * 0.4} ${y - bend * 1.4} ${L.W * 0.55} ${y + (next() - 0.5) * bend}`,
      `S${L.W * 0.85} ${y + bend} ${L.W + 20} ${y + (next() - 0.5) * 30}`,
    ].join("");
    lines[Math.floor(next() * GRAIN_OPACITIES.length)] += line;
  }
  const paths = GRAIN_OPACITIES.map((opacity, i) => element("path", { class: "bg-grain", opacity, d: lines[i] }));
  return element("g", { "clip-path": "url(#bg-clip)" }, ...paths);
}

/** @param {Layout} L @param {number} x @returns {SVGElement} */
function half(L, x) {
  const width = 6 * UNIT;
  return element(
    "g", {},
    element("rect", { x, y: L.yTop, width, height: L.inner, fill: "url(#bg-field)" }),
    element("rect", { class: "bg-edge", x: x + 1.5, y: L.yTop + 1.5, width: width - 3, height: L.inner - 3, "stroke-width": 5 }),
    element("rect", { class: "bg-inlay", x: x - 6, y: L.yTop - 6, width: width + 12, height: L.inner + 12, rx: 5, "stroke-width": 2.4, opacity: 0.85 }),
  );
}

/** @param {Layout} L @returns {SVGElement} */
function bar(L) {
  const box = { x: L.xBar + 9, y: L.yTop - 6, width: L.barWidth - 18, height: L.inner + 12, rx: 6 };
  const group = element("g", {}, element("rect", { ...box, fill: "url(#bg-bar)" }), element("rect", { ...box, class: "bg-edge", "stroke-width": 2 }));
  if (!L.portrait) {
    for (const away of [-54, 54]) group.append(element("circle", { class: "bg-stud", cx: L.xBar + L.barWidth / 2, cy: L.yMid + away, r: 5 }));
  }
  return group;
}

/** @param {Box} box @returns {SVGElement} */
function tray({ x, y, w, h }) {
  return element(
    "g", {},
    element("rect", { x, y, width: w, height: h, rx: 8, fill: "url(#bg-tray)" }),
    element("rect", { class: "bg-edge", x: x + 1.5, y: y + 1.5, width: w - 3, height: h - 3, rx: 7, "stroke-width": 4 }),
    element("rect", { class: "bg-inlay", x: x - 5, y: y - 5, width: w + 10, height: h + 10, rx: 11, "stroke-width": 2, opacity: 0.6 }),
  );
}

/** The empty slots of both off trays, as one path. @param {Layout} L @returns {SVGElement} */
function slots(L) {
  const sides = /** @type {const} */ (["me", "op"]);
  const boxes = sides.flatMap((side) => Array.from({ length: SLOTS }, (_, i) => traySlot(L, side, i)));
  return element("path", { class: "bg-slot", d: boxes.map((box) => rounded(box, 4)).join("") });
}

/** A rectangle with round corners as the data of a path. @param {Box} box @param {number} r @returns {string} */
function rounded({ x, y, w, h }, r) {
  const corner = (/** @type {number} */ dx, /** @type {number} */ dy) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `M${x + r} ${y}h${w - 2 * r}${corner(r, r)}v${h - 2 * r}${corner(-r, r)}h${2 * r - w}${corner(-r, -r)}v${2 * r - h}${corner(r, -r)}`;
}

/**
 * The points: the twelve of a row are two paths, one of each colour (a gradient goes over its whole path), and all bevels one.
 * @param {Layout} L @returns {SVGElement[]}
 */
function points(L) {
  const all = Array.from({ length: 24 }, (_, i) => wedge(L, i + 1));
  const parts = [0, 12].flatMap((first) => [0, 1].map((odd) => all.slice(first, first + 12).filter((_, i) => i % 2 === odd)));
  return [
    ...parts.map((row, i) => element("path", { class: `bg-wedge ${i % 2 ? "bg-b" : "bg-a"}`, d: row.map((each) => each.outline).join("") })),
    element("path", { class: "bg-bevel", d: all.map((each) => each.bevel).join("") }),
  ];
}

/** The outline of a point and its bevel. @param {Layout} L @param {number} point @returns {{outline: string, bevel: string}} */
function wedge(L, point) {
  const x = pointX(L, point);
  const base = isTop(point) ? L.yTop + 3 : L.yBottom - 3;
  const sign = isTop(point) ? 1 : -1;
  const w = UNIT / 2 - 4;
  const tip = base + sign * L.length;
  return {
    outline: `M${x - w} ${base}L${x + w} ${base}L${x + 2.5} ${tip}Q${x} ${tip + sign * 7} ${x - 2.5} ${tip}Z`,
    bevel: `M${x - w + 13} ${base + sign * 6}L${x} ${tip - sign * 74}L${x + w - 13} ${base + sign * 6}`,
  };
}

/** The numbers beside the points, on the frame or between field and trays; `hot` ones are targets. @param {Layout} L @returns {SVGElement} */
function numbers(L) {
  const group = element("g", { class: "bg-numbers", "aria-hidden": "true" });
  for (let point = 1; point <= 24; point += 1) {
    const y = isTop(point) ? L.yTop - (L.portrait ? 11 : 16) : L.yBottom + (L.portrait ? 33 : 32);
    group.append(element("text", { class: "bg-number", "data-number": point, x: pointX(L, point), y }, String(point)));
  }
  return group;
}

/** @param {Layout} L @returns {SVGElement} */
export function scenery(L) {
  const { round } = L;
  const defs = definitions();
  defs.append(element("clipPath", { id: "bg-clip" }, element("rect", { width: L.W, height: L.H, rx: round })));
  return element(
    "g", { class: "bg-scenery", "aria-hidden": "true" },
    defs,
    element("rect", { width: L.W, height: L.H, rx: round, fill: "url(#bg-wood)" }),
    grain(L),
    element("rect", { class: "bg-rim", x: 2, y: 2, width: L.W - 4, height: L.H - 4, rx: round - 2, "stroke-width": 3 }),
    half(L, L.xLeft), half(L, L.xRight), bar(L),
    ...[L.off.me, L.off.op, ...L.cubeTrays].map(tray),
    slots(L), ...points(L), numbers(L),
  );
}
