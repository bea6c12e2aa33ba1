// @ts-check
/**
 * The state of a table on this page, kept in step with the server (docs/protocol.md).
 *
 * Events carry gapless numbers: an update that starts too late is answered with `resume`. A command that
 * has had no answer is sent again, with the same id, after the connection has come back.
 */

import { Connection } from "./connection.js";
import { Pace } from "./pace.js";
import { handOf } from "./view.js";

/** Events that belong to the list of moves. */
const LOGGED = new Set([
  "position_set", "game_started", "rolled_off", "play_made", "double_offered", "beavered", "raccooned", "double_taken", "double_dropped", "game_ended",
]);
const BUSY_WAIT_MS = 400;
/** If the update of an accepted command has not come by then, it is requested. */
const UPDATE_WITHIN_MS = 1000;

/** @typedef {import("./view.js").View} View */
/** @typedef {{type: string, seq?: number, [field: string]: any}} TableEvent */

/**
 * @typedef {object} Handlers
 * @property {(events: TableEvent[], fresh: boolean) => void} onChange  the view changed; fresh: it was replaced whole
 * @property {(code: string, frame: any) => void} onRejected
 * @property {() => void} onPresence
 * @property {() => void} onConnection
 * @property {(frame: any) => void} [onHint]  what the house bot would do
 * @property {(frame: any) => void} [onTalk]  what is said at the table, or why it was not
 * @property {() => void} [onSynced]  the view is up to date on a new connection
 * @property {(frame: any) => void} [onFrame]  every frame as it arrives, before the board is ready for it
 */

export class Session {
  /** @param {string} url @param {Handlers} handlers */
  constructor(url, handlers) {
    this.handlers = handlers;
    /** The seat I speak for. @type {0|1|null} */
    this.seat = null;
    /** The seat I sit at. @type {0|1|null} */
    this.own = null;
    this.seq = 0;
    /** @type {View|null} */
    this.view = null;
    /** @type {TableEvent[]} */
    this.log = [];
    /** @type {[boolean, boolean]} */
    this.online = [false, false];
    this.watchers = 0;
    /** Whether the view is up to date on a standing connection. */
    this.synced = false;
    /** Whether frames take a slower way, for as long as this connection lasts. */
    this.slow = false;
    /** Whether the table takes no watchers. */
    this.refused = false;
    /** @type {{type: "command", id: string, seq: number, command: object}|null} */
    this.pending = null;
    /** The last event of the command that was accepted last: until it is here the view is old. */
    this.awaited_seq = 0;
    /** Callbacks for the answer of the pending command. @type {(() => void)[]} */
    this.waiting = [];
    /** @type {number|null} */
    this.retry_at_ms = null;
    const pace = new Pace((frame) => this.receive(frame), () => this.view);
    this.connection = new Connection(url, {
      onFrame: (frame) => {
        handlers.onFrame?.(frame);
        pace.take(frame);
      },
      onState: (state, retry_at_ms) => {
        if (state !== "online") this.synced = false;
        this.refused = state === "refused";
        this.retry_at_ms = retry_at_ms;
        handlers.onConnection();
      },
    });
  }

  open() {
    this.connection.open();
  }

  /** @returns {number} */
  now_ms() {
    return this.connection.now_ms();
  }

  /** Whether a command may be given now. @returns {boolean} */
  get free() {
    return this.synced && this.pending === null && this.seq >= this.awaited_seq;
  }

  /** The commands my seat may give now. @returns {string[]} */
  get actions() {
    return this.view && this.seat !== null ? this.view.actions[this.seat] : [];
  }

  /** Give a command; refused while another one waits for its answer. @param {{type: string, [field: string]: any}} command @returns {boolean} */
  command(command) {
    if (!this.free) return false;
    this.pending = { type: "command", id: crypto.randomUUID(), seq: this.seq, command };
    this.connection.send(this.pending);
    return true;
  }

  /** Settles when no command is waiting for its answer. @returns {Promise<void>} */
  answered() {
    if (this.pending === null) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param {any} frame */
  receive(frame) {
    switch (frame.type) {
      case "welcome":
        this.own = this.seat = frame.seat;
        this.slow = frame.slow;
        this.resume();
        break;
      case "snapshot":
        this.log = frame.log;
        this.take(frame, [], true);
        break;
      case "update":
        this.update(frame);
        break;
      case "pong":
        this.expect(frame.seq ?? 0);
        break;
      case "presence":
        this.online = frame.online;
        this.watchers = frame.watchers;
        this.handlers.onPresence();
        break;
      case "accepted":
      case "rejected":
        this.answer(frame);
        break;
      case "hint":
        this.handlers.onHint?.(frame);
        break;
      case "fair":
        if (this.view) this.view.fair = frame.fair;
        break;
      case "chat":
      case "said":
      case "unsaid":
      case "reported":
        this.handlers.onTalk?.(frame);
        break;
      case "error":
        if (frame.id && frame.id === this.pending?.id) this.answer(frame);
        // a part in the dice that came too late changes nothing here: the roll itself shows it
        else if (frame.code !== "dice_refused") this.handlers.onRejected(frame.code, frame);
        break;
    }
  }

  resume() {
    this.connection.send({ type: "resume", since: this.view ? this.seq : 0 });
  }

  /** @param {any} frame */
  update(frame) {
    /** @type {TableEvent[]} */
    const events = frame.events.filter((/** @type {any} */ event) => event.seq > this.seq);
    if (frame.seq < this.seq && this.synced) return;
    if (!this.view || (events.length ? events[0].seq !== this.seq + 1 : frame.seq !== this.seq)) {
      if (frame.seq < this.seq) this.view = null;
      this.resume();
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
    this.seq = frame.seq;
    this.view = frame.view;
    this.seat = handOf(frame.view, this.own);
    if (!this.synced) {
      this.synced = true;
      if (this.pending) this.connection.send(this.pending);
      this.handlers.onSynced?.();
      this.handlers.onConnection();
    }
    this.handlers.onChange(events, fresh);
  }

  /** @param {any} frame */
  answer(frame) {
    const pending = this.pending;
    if (!pending || frame.id !== pending.id) return;
    if (frame.code === "busy" || frame.code === "too_fast") {
      setTimeout(() => this.pending === pending && this.connection.send(pending), BUSY_WAIT_MS);
      return;
    }
    this.pending = null;
    for (const resolve of this.waiting.splice(0)) resolve();
    if (frame.type === "accepted") this.awaited_seq = frame.seq;
    else this.handlers.onRejected(frame.code, frame);
    if (this.free) this.handlers.onChange([], false);
    else this.expect(this.awaited_seq);
  }

  /** Request the events up to `seq` if they do not come: their update got lost. @param {number} seq */
  expect(seq) {
    if (seq > this.seq) setTimeout(() => this.synced && this.seq < seq && this.resume(), UPDATE_WITHIN_MS);
  }
}
