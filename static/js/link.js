// @ts-check
/* The live link of every page: one WebSocket that comes back by itself. */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
/** A page that was away for longer may have lost the connection without an event. */
const AWAY_MS = 30_000;
/** The login has ended, or a guest has registered. */
const LOGGED_OUT = 4401;
/** The cookie of what follows at a table may still be on its way. */
const LOGGED_OUT_WAIT_MS = 1500;
/** The table takes no watchers: asking again would change nothing. */
const NO_WATCHERS = 4403;
const PING_EVERY_MS = 10_000;
const PONG_WITHIN_MS = 6_000;
/** How many round trips are remembered; the quickest gives the best estimate of the offset. */
const SAMPLES = 8;

/** The whole address of a socket. @param {string} path */
function socketAddress(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** How long to wait after so many failed connections in a row: 250 ms · 2ⁿ, at most 8 s. @param {number} failures */
const retryWaitMs = (failures) => Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);

/**
 * A lost connection is opened again: after a wait, when the network is back, and when the reader returns.
 *
 * A table answers pings: one every few seconds finds the dead connections and measures how far the server's clock is
 * from ours. Other sockets only report; after the end of a login they are opened again when the reader returns.
 */
export class Link {
  /**
   * @param {string} path
   * @param {{onFrame: (frame: any) => void, onState?: (state: "online"|"lost"|"refused", retry_at_ms: number|null) => void}} handlers
   * @param {{pings?: boolean}} [options]
   */
  constructor(path, handlers, { pings = false } = {}) {
    this.path = path;
    this.handlers = handlers;
    this.pings = pings;
    this.failures = 0;
    this.ended = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {{trip_ms: number, offset_ms: number}[]} */
    this.samples = [];
    this.retry = 0;
    this.heartbeat = 0;
    this.deadline = 0;
    let hiddenSince = 0;
    addEventListener("online", () => this.hurry(true));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) hiddenSince = performance.now();
      else this.hurry(performance.now() - hiddenSince > AWAY_MS);
    });
  }

  open() {
    clearTimeout(this.retry);
    const former = this.socket;
    const socket = new WebSocket(socketAddress(this.path));
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.pings) this.failures = 0;
      this.handlers.onState?.("online", null);
      this.ping();
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.receive(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code }) => {
      if (code === NO_WATCHERS) this.refused();
      else if (socket === this.socket) this.lost(code === LOGGED_OUT ? (this.pings ? LOGGED_OUT_WAIT_MS : null) : undefined);
    });
    former?.close();
  }

  /** Send a frame if the connection stands. @param {object} frame @returns {boolean} */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** The server's time now. @returns {number} */
  now_ms() {
    const best = this.samples.reduce((a, b) => (b.trip_ms < a.trip_ms ? b : a), this.samples[0]);
    return Date.now() + (best?.offset_ms ?? 0);
  }

  ping() {
    clearTimeout(this.heartbeat);
    clearTimeout(this.deadline);
    if (!this.pings || !this.send({ type: "ping", sent_ms: Date.now() })) return;
    this.deadline = setTimeout(() => this.abandon(), PONG_WITHIN_MS);
    this.heartbeat = setTimeout(() => this.ping(), PING_EVERY_MS);
  }

  /** @param {any} frame */
  receive(frame) {
    this.failures = 0;
    if (frame.type === "pong") {
      clearTimeout(this.deadline);
      const trip_ms = Date.now() - frame.sent_ms;
      this.remember({ trip_ms, offset_ms: frame.now_ms - (frame.sent_ms + trip_ms / 2) });
    }
    if (frame.type === "welcome" && !this.samples.length) {
      this.remember({ trip_ms: PONG_WITHIN_MS, offset_ms: frame.now_ms - Date.now() });
    }
    this.handlers.onFrame(frame);
  }

  /** @param {{trip_ms: number, offset_ms: number}} sample */
  remember(sample) {
    this.samples = [...this.samples, sample].slice(-SAMPLES);
  }

  /** Give up a connection that does not answer. */
  abandon() {
    const socket = this.socket;
    this.lost();
    socket?.close();
  }

  /** Open another connection after a wait. @param {number|null} wait  null: when the reader returns */
  lost(wait = retryWaitMs(this.failures)) {
    clearTimeout(this.heartbeat);
    clearTimeout(this.deadline);
    this.socket = null;
    this.failures += 1;
    if (wait !== null) this.retry = setTimeout(() => this.open(), wait);
    this.handlers.onState?.("lost", wait === null ? null : Date.now() + wait);
  }

  /** The server refuses this connection, for good. */
  refused() {
    for (const timer of [this.heartbeat, this.deadline, this.retry]) clearTimeout(timer);
    this.ended = true;
    this.handlers.onState?.("refused", null);
  }

  /** The network is back or somebody looks again. @param {boolean} doubtful  the connection may have died in silence */
  hurry(doubtful) {
    if (this.ended) return;
    if (this.socket === null || (doubtful && !this.pings)) this.open();
    else this.ping();
  }
}

/** Pass on the type of each report of the server; one comes with every connection, so no change is missed. @param {string} path @param {(type: string) => void} report */
export const follow = (path, report, lost = () => {}) =>
  new Link(path, { onFrame: ({ type }) => report(type), onState: (state) => state === "lost" && lost() }).open();
