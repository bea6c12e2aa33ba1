// @ts-check
/** Both clocks, drawn from the server's deadlines: a ring for the delay of this turn, minutes for the reserve.
   Four times a second, not with every frame of the screen: nobody sees the difference, and a phone's battery lasts. */

import { one, write } from "./dom.js";
import { slot, strip } from "./players.js";
import { minutes } from "./text.js";
import { seatAt, timeLeft } from "./view.js";

/** @typedef {import("./view.js").View} View */

const ROUND = 2 * Math.PI * 12;
export const LOW_MS = 20_000;
const TICK_MS = 250;

/** @param {Element} ring @param {number} share @param {string} text */
export function drawRing(ring, share, text) {
  const dash = `${(ROUND * share).toFixed(1)} ${ROUND.toFixed(1)}`;
  const value = one(".value", ring);
  if (value.getAttribute("stroke-dasharray") !== dash) value.setAttribute("stroke-dasharray", dash);
  write(one("text", ring), text);
}

export class Clocks {
  /**
   * @param {{now_ms: () => number, onLow: () => void, onTick: (now_ms: number) => void}} world
   *   onLow: my reserve has become low; onTick: four times a second
   */
  constructor(world) {
    this.world = world;
    /** @type {View|null} */
    this.view = null;
    /** @type {0|1|null} */
    this.seat = null;
    this.warned = false;
    setInterval(() => this.tick(), TICK_MS);
  }

  /** @param {View} view @param {0|1|null} seat */
  set(view, seat) {
    this.view = view;
    this.seat = seat;
    this.tick();
  }

  tick() {
    const view = this.view;
    if (!view) return;
    const now_ms = this.world.now_ms();
    for (const side of /** @type {const} */ (["me", "op"])) this.drawSide(view, side, now_ms);
    this.world.onTick(now_ms);
  }

  /** @param {View} view @param {"me"|"op"} side @param {number} now_ms */
  drawSide(view, side, now_ms) {
    const at = seatAt(side, this.seat);
    const running = view.clock.running === at;
    const idle = view.phase === "open" || view.phase === "closed";
    const fresh = { delay_ms: view.terms.delay_ms, reserve_ms: view.terms.reserve_ms };
    const left = idle ? fresh : timeLeft(view.clock, at, now_ms);
    const root = strip(side);
    root.classList.toggle("untimed", view.terms.clock === "none");
    const share = view.terms.delay_ms ? Math.min(1, left.delay_ms / view.terms.delay_ms) : 0;
    drawRing(one(".ring", root), share, String(Math.ceil(left.delay_ms / 1000)));
    write(slot(root, "reserve"), minutes(left.reserve_ms));
    const low = running && left.delay_ms === 0 && left.reserve_ms < LOW_MS;
    root.classList.toggle("low", low);
    if (side === "me" && this.seat !== null) this.warn(low);
  }

  /** @param {boolean} low */
  warn(low) {
    if (low && !this.warned) this.world.onLow();
    this.warned = low;
  }
}
