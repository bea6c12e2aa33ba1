// @ts-check
/**
 * The session of a match for two: its seats, its list of moves, who is there.
 *
 * Events carry gapless numbers: an update that starts too late is answered with `resume`.
 */

import { Session } from "./session.js";
import { handOf, isAlone } from "./view.js";

const PAUSE_MS = 600;

/** Events that belong to the list of moves. */
const LOGGED = new Set([
  "position_set", "game_started", "rolled_off", "play_made", "double_offered", "beavered", "raccooned", "double_taken", "double_dropped", "game_ended",
]);
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./session.js").TableEvent} TableEvent */

/** @extends {Session<View>} */
export class MatchSession extends Session {
  /** @param {string} path @param {import("./session.js").Handlers} handlers */
  constructor(path, handlers) {
    super(path, handlers);
    /** The seat I speak for. @type {0|1|null} */
    this.seat = null;
    /** The seat I sit at. @type {0|1|null} */
    this.own = null;
    /** @type {TableEvent[]} */
    this.log = [];
    /** @type {[boolean, boolean]} */
    this.online = [false, false];
    this.watchers = 0;
    this.pace = new Pace((frame) => this.receive(frame), () => this.view);
  }

  /** The commands my seat may give now. @returns {string[]} */
  get actions() {
    return this.view && this.seat !== null ? this.view.actions[this.seat] : [];
  }

  /** @param {any} frame */
  arrived(frame) {
    this.pace.take(frame);
  }

  /** @param {any} frame */
  receive(frame) {
    switch (frame.type) {
      case "welcome":
        this.own = this.seat = frame.seat;
        break;
      case "snapshot":
        this.log = frame.log;
        break;
      case "presence":
        this.online = frame.online;
        this.watchers = frame.watchers;
        this.handlers.onPresence?.();
        break;
      case "hint":
        this.handlers.onHint?.(frame);
        break;
      case "fair":
        if (this.view) this.view.fair = frame.fair;
        break;
    }
    super.receive(frame);
  }

  /** @param {any} frame */
  update(frame) {
    /** @type {TableEvent[]} */
    const events = frame.events.filter((/** @type {any} */ event) => event.seq > this.seq);
    if (frame.seq < this.seq && this.synced) return;
    if (!this.view || (events.length ? events[0].seq !== this.seq + 1 : frame.seq !== this.seq)) {
      this.resume(frame.seq < this.seq ? 0 : undefined);
      return;
    }
    if (frame.seq === this.seq && this.synced) return;
    for (const event of events) this.note(event);
    this.take(frame, events, false);
  }

  /** @param {TableEvent} event */
  note(event) {
    if (event.type === "match_started") this.log = [];
    if (event.type === "taken_back") this.log = this.log.filter(({ seq }) => (seq ?? 0) <= event.to_seq);
    if (LOGGED.has(event.type)) this.log.push(event);
  }

  /** @param {any} frame @param {TableEvent[]} events @param {boolean} fresh */
  take(frame, events, fresh) {
    this.seat = handOf(frame.view, this.own);
    super.take(frame, events, fresh);
  }
}

/**
 * The house bot answers within milliseconds; people want to see what it does. Its updates are shown one after the other
 * with a pause before each; everything else passes at once, unless it comes after them.
 */
class Pace {
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
