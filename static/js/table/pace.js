// @ts-check
/**
 * The house bot answers within milliseconds; people want to see what it does. Its updates are shown one
 * after the other with a pause before each; everything else passes at once, unless it comes after them.
 */

import { isAlone } from "./view.js";

const PAUSE_MS = 600;

/** @typedef {import("./view.js").View} View */

export class Pace {
  /** @param {(frame: any) => void} receive @param {() => View|null} view */
  constructor(receive, view) {
    this.receive = receive;
    this.view = view;
    /** @type {any[]} */
    this.waiting = [];
    this.timer = 0;
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.type === "welcome" || frame.type === "snapshot") this.forget();
    if (frame.type !== "update" || (!this.waiting.length && !this.isBots(frame))) {
      this.receive(frame);
      return;
    }
    this.waiting.push(frame);
    if (!this.timer) this.timer = setTimeout(() => this.next(), PAUSE_MS);
  }

  /** Show the next update, and at once what follows it and is not the bot's. */
  next() {
    this.timer = 0;
    const frame = this.waiting.shift();
    if (frame) this.receive(frame);
    while (this.waiting.length && !this.isBots(this.waiting[0])) this.receive(this.waiting.shift());
    if (this.waiting.length) this.timer = setTimeout(() => this.next(), PAUSE_MS);
  }

  /** Drop the waiting updates: the whole view comes. */
  forget() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.waiting = [];
  }

  /** Whether the house bot did this. @param {any} frame @returns {boolean} */
  isBots(frame) {
    const view = this.view();
    const bot = isAlone(view) ? -1 : (view?.players.findIndex((player) => player?.plays_as) ?? -1);
    return bot >= 0 && frame.events.length > 0 && frame.events[0].seat === bot;
  }
}
