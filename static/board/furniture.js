// @ts-check
/** Dice, cube and borne-off checkers: what lies on the board beside the checkers in play. */

import { cubeSpot, dieSpot, traySlot } from "./geometry.js";
import { cube, die, element } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./draft.js").Draft} Draft */

/** @typedef {{value: number, owner: Side|null, offeredTo: Side|null, ready: boolean, resting: boolean}} Cube */
/** @typedef {{values: number[], side: Side, key: string}} Roll */

const ROLL_MS = 420;
const SIDES = /** @type {const} */ (["me", "op"]);

/** Borne-off checkers (and those still in the hand) in their trays. @param {SVGElement} layer @param {Layout} L @param {Position} position */
export function drawTrays(layer, L, position) {
  const drawn = [];
  for (const side of SIDES) {
    for (let i = 0; i < position[side][0] + position.hand[side]; i += 1) {
      const box = traySlot(L, side, i);
      drawn.push(element("rect", { class: `bg-slab bg-${side}`, x: box.x, y: box.y, width: box.w, height: box.h, rx: 4 }));
    }
  }
  if (!L.portrait) drawn.push(...SIDES.map((side) => trayCount(L, position, side)));
  layer.replaceChildren(...drawn);
}

/** @param {Layout} L @param {Position} position @param {Side} side @returns {SVGElement} */
function trayCount(L, position, side) {
  const all = position[side].reduce((sum, n) => sum + n, position.hand[side]);
  const at = { x: L.off.me.x + L.off.me.w / 2, y: L.yMid + (side === "me" ? 42 : -26) };
  return element("text", { class: "bg-tray-count", "aria-hidden": "true", ...at }, `${position[side][0]}/${all}`);
}

/** @param {SVGElement} layer @param {Layout} L @param {Cube|null} shown @param {number} duration_ms */
export function drawCube(layer, L, shown, duration_ms) {
  const before = layer.firstElementChild?.getAttribute("data-spot")?.split(" ").map(Number);
  layer.replaceChildren();
  if (!shown) return;
  const spot = cubeSpot(L, shown.owner, shown.offeredTo);
  const drawn = cube(spot.size);
  drawn.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
  drawn.setAttribute("data-spot", `${spot.x} ${spot.y}`);
  drawn.setAttribute("data-cube", String(shown.value));
  drawn.classList.toggle("bg-ready", shown.ready || shown.offeredTo !== null);
  drawn.classList.toggle("bg-resting", shown.resting);
  /** @type {SVGElement} */ (drawn.lastElementChild).textContent = String(shown.value === 1 ? 64 : shown.value);
  layer.append(drawn);
  if (!before || !duration_ms || (before[0] === spot.x && before[1] === spot.y)) return;
  drawn.animate(
    [{ transform: `translate(${before[0]}px, ${before[1]}px)` }, { transform: `translate(${spot.x}px, ${spot.y}px)` }],
    { duration: duration_ms * 1.5, easing: "ease-out" },
  );
}

export class Dice {
  /** @param {SVGElement} layer */
  constructor(layer) {
    this.layer = layer;
    this.thrown = "";
  }

  /**
   * @param {Layout} L
   * @param {{roll: Roll|null, faint: {values: number[], side: Side}|null, draft: Draft|null}} lying
   * @param {number} duration_ms  0: a new roll lies there without being thrown
   */
  draw(L, { roll, faint, draft }, duration_ms) {
    this.layer.replaceChildren();
    if (faint) this.lay(L, faint.values, faint.side, null, true);
    if (roll) {
      const dice = this.lay(L, draft?.dice ?? roll.values, roll.side, draft, false);
      if (roll.key !== this.thrown && duration_ms) throwDice(dice, roll.side);
    }
    this.thrown = roll?.key ?? "";
  }

  /** @param {Layout} L @param {number[]} values @param {Side} side @param {Draft|null} draft @param {boolean} faint @returns {SVGElement[]} */
  lay(L, values, side, draft, faint) {
    const used = draft?.used ?? [];
    const bars = draft?.bars ?? [];
    const dice = values.map((value, i) => {
      const spot = dieSpot(L, side, i, values.length, faint);
      const drawn = die(value, side, spot.size, { used: used[i], faint, bars: bars[i] });
      drawn.setAttribute("transform", `translate(${spot.x} ${spot.y}) rotate(${spot.turn})`);
      drawn.setAttribute("data-die", String(value));
      drawn.classList.toggle("bg-mine", draft !== null);
      return drawn;
    });
    this.layer.append(...dice);
    return dice;
  }
}

/** @param {SVGElement[]} dice @param {Side} side */
function throwDice(dice, side) {
  const come = side === "me" ? 220 : -220;
  dice.forEach((drawn, i) => {
    const [x, y, turn] = (drawn.getAttribute("transform") ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [0, 0, 0];
    drawn.animate(
      [
        { transform: `translate(${x + come}px, ${y + 60 - 90 * i}px) rotate(${turn + 260 - 70 * i}deg)`, opacity: 0 },
        { transform: `translate(${x}px, ${y}px) rotate(${turn}deg)`, opacity: 1 },
      ],
      { duration: ROLL_MS + 60 * i, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" },
    );
  });
}
