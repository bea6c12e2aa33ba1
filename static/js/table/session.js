// @ts-check
/**
 * The state of a table of any kind on this page, kept in step with the server (docs/protocol.md).
 *
 * A command that has had no answer is sent again, with the same id, after the connection has come back. Here a view
 * replaces the one before; match-session.js adds what a match has besides: events, a list of moves, seats.
 */

import { Link } from "../link.js";

const BUSY_WAIT_MS = 400;
/** If the update of an accepted command has not come by then, it is requested. */
const UPDATE_WITHIN_MS = 1000;

/** @typedef {{type: string, seq?: number, [field: string]: any}} TableEvent */
/** @typedef {{type: string, [field: string]: any}} Command */

/**
 * @typedef {object} Handlers
 * @property {(events: TableEvent[], fresh: boolean) => void} onChange  the view changed; fresh: it was replaced whole
 * @property {(code: string, frame: any) => void} onRejected
 * @property {() => void} onConnection
 * @property {() => void} [onPresence]
 * @property {(frame: any) => void} [onHint]  what the house bot would do
 * @property {(frame: any) => void} [onTalk]  what is said at the table, or why it was not
 * @property {() => void} [onOpen]  a new connection stands
 * @property {() => void} [onSynced]  the view is up to date on a new connection
 * @property {(frame: any) => void} [onFrame]  every frame as it arrives, before the board is ready for it
 */

/** @template V  the view of this kind of table */
export class Session {
  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    this.handlers = handlers;
    this.seq = 0;
    /** @type {V|null} */
    this.view = null;
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
    /** Callbacks for the answer of the pending command. @type {((accepted: boolean) => void)[]} */
    this.waiting = [];
    /** @type {number|null} */
    this.retry_at_ms = null;
    this.connection = new Link(
      path,
      {
        onFrame: (frame) => {
          handlers.onFrame?.(frame);
          this.arrived(frame);
        },
        onState: (state, retry_at_ms) => {
          if (state !== "online") this.synced = false;
          this.refused = state === "refused";
          this.retry_at_ms = retry_at_ms;
          if (state === "online") handlers.onOpen?.();
          handlers.onConnection();
        },
      },
      { pings: true },
    );
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

  /** Give a command; refused while another one waits for its answer. @param {Command} command @returns {boolean} */
  command(command) {
    if (!this.free) return false;
    this.pending = { type: "command", id: crypto.randomUUID(), seq: this.seq, command };
    this.connection.send(this.pending);
    return true;
  }

  /** Settles when no command is waiting for its answer; false if it was refused. @returns {Promise<boolean>} */
  answered() {
    if (this.pending === null) return Promise.resolve(true);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** @param {any} frame */
  arrived(frame) {
    this.receive(frame);
  }

  /** @param {any} frame */
  receive(frame) {
    switch (frame.type) {
      case "welcome":
        this.slow = frame.slow;
        this.resume();
        break;
      case "snapshot":
        this.take(frame, [], true);
        break;
      case "update":
        this.update(frame);
        break;
      case "pong":
        this.expect(frame.seq ?? 0);
        break;
      case "accepted":
      case "rejected":
        this.answer(frame);
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

  /** @param {number} [since]  the last event that was seen */
  resume(since = this.view ? this.seq : 0) {
    this.connection.send({ type: "resume", since });
  }

  /** @param {any} frame */
  update(frame) {
    if (frame.seq >= this.seq) this.take(frame, frame.events, false);
  }

  /** @param {any} frame @param {TableEvent[]} events @param {boolean} fresh */
  take(frame, events, fresh) {
    this.seq = frame.seq;
    this.view = frame.view;
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
    for (const resolve of this.waiting.splice(0)) resolve(frame.type === "accepted");
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
