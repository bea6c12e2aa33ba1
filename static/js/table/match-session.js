// @ts-check
/**
 * The session of a match for two: its seats, its list of moves, who is there.
 *
 * Events carry gapless numbers: an update that starts too late is answered with `resume`.
 */

import { Pace } from "./pace.js";
import { Session } from "./session.js";
import { handOf } from "./view.js";

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
