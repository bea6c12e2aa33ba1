// @ts-check
/** Setting checkers by pointer and by keyboard: what a tap or a key on a place means. */

import { placeOf } from "../../board/input.js";
import { countAt, placed, withCount, CHECKERS } from "./position.js";

/** @typedef {import("./position.js").Setup} Setup */
/** @typedef {import("./position.js").Colour} Colour */
/** @typedef {"light"|"dark"|"none"} Brush */

/** Two digits that follow each other within this time are one number. */
const NUMBER_MS = 900;
const BRUSHES = /** @type {const} */ (["light", "dark", "none"]);

/**
 * @typedef {object} Wishes
 * @property {() => Setup} setup
 * @property {() => Brush} brush
 * @property {(brush: Brush) => void} choose
 * @property {(setup: Setup, place: number) => void} change
 * @property {(colour: Colour) => void} full  all checkers of a colour are on the board
 */

export class Editor {
  /** @param {import("../../board/board.js").BgBoard} board @param {Wishes} wishes */
  constructor(board, wishes) {
    this.wishes = wishes;
    this.typed = { place: -1, digits: "", at: 0 };
    board.on("place", ({ place, other }) => this.tap(place, other === true));
    board.svg.addEventListener("keydown", (event) => this.key(event), { capture: true });
  }

  /** The colour that is set now; removing takes what lies there. @param {number} place @param {boolean} other @returns {{colour: Colour, by: 1|-1}} */
  meant(place, other) {
    const brush = this.wishes.brush();
    if (brush === "none") return { colour: countAt(this.wishes.setup(), 0, place) ? 0 : 1, by: -1 };
    const light = (brush === "light") !== other;
    return { colour: light ? 0 : 1, by: 1 };
  }

  /** @param {number} place @param {boolean} other */
  tap(place, other) {
    if (place === 0) return; // the tray has what is not on the board
    const { colour, by } = this.meant(place, other);
    this.set(colour, place, countAt(this.wishes.setup(), colour, place) + by);
  }

  /** @param {Colour} colour @param {number} place @param {number} count */
  set(colour, place, count) {
    const setup = this.wishes.setup();
    const free = CHECKERS - placed(setup, colour) + countAt(setup, colour, place);
    if (count > free) this.wishes.full(colour);
    const next = withCount(setup, colour, place, count);
    if (next.xgid !== setup.xgid) this.wishes.change(next, place);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const place = placeOf(event.target);
    if (place === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.did(event.key, place)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Whether a key on a place means something here. @param {string} key @param {number} place @returns {boolean} */
  did(key, place) {
    if (key.toLowerCase() === "c") {
      this.wishes.choose(BRUSHES[(BRUSHES.indexOf(this.wishes.brush()) + 1) % BRUSHES.length]);
      return true;
    }
    if (key === "Enter" || key === " " || key === "+") this.tap(place, false);
    else if (key === "Delete" || key === "Backspace" || key === "-") this.remove(place);
    else if (/^\d$/.test(key)) this.number(key, place);
    else return false;
    return true;
  }

  /** @param {number} place */
  remove(place) {
    if (place === 0) return;
    const setup = this.wishes.setup();
    const brush = this.wishes.brush();
    /** @type {Colour} */
    const first = brush === "dark" ? 1 : 0;
    const colour = countAt(setup, first, place) ? first : first === 0 ? 1 : 0;
    this.set(colour, place, countAt(setup, colour, place) - 1);
  }

  /** A number of checkers; "1" and then "2" is twelve. @param {string} digit @param {number} place */
  number(digit, place) {
    if (place === 0) return;
    const now = performance.now();
    const goesOn = this.typed.place === place && now - this.typed.at < NUMBER_MS;
    const digits = goesOn && Number(this.typed.digits + digit) <= CHECKERS ? this.typed.digits + digit : digit;
    this.typed = { place, digits, at: now };
    const { colour, by } = this.meant(place, false);
    this.set(colour, place, by > 0 ? Number(digits) : 0);
  }
}
