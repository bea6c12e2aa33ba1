// @ts-check
/**
 * One WebSocket that comes back by itself.
 *
 * A lost connection is opened again (sockets.js says when); a ping every few seconds finds the dead ones and
 * measures how far the server's clock is from ours.
 */

import { LOGGED_OUT, LOGGED_OUT_WAIT_MS, retryWaitMs } from "../sockets.js";

const PING_EVERY_MS = 10_000;
const PONG_WITHIN_MS = 6_000;
/** How many round trips are remembered; the quickest gives the best estimate of the offset. */
const SAMPLES = 8;
/** The table takes no watchers: asking again would change nothing. */
const NO_WATCHERS = 4403;

export class Connection {
  /**
   * @param {string} url
   * @param {{onFrame: (frame: any) => void, onState: (state: "online"|"lost"|"refused", retry_at_ms: number|null) => void}} handlers
   */
  constructor(url, handlers) {
    this.url = url;
    this.handlers = handlers;
    this.failures = 0;
    this.ended = false;
    /** @type {WebSocket|null} */
    this.socket = null;
    /** @type {{trip_ms: number, offset_ms: number}[]} */
    this.samples = [];
    this.retry = 0;
    this.heartbeat = 0;
    this.deadline = 0;
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  open() {
    clearTimeout(this.retry);
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      this.handlers.onState("online", null);
      this.ping();
    });
    socket.addEventListener("message", (event) => socket === this.socket && this.receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (event.code === NO_WATCHERS) this.refused();
      else if (socket === this.socket) this.lost(event.code === LOGGED_OUT ? LOGGED_OUT_WAIT_MS : undefined);
    });
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

  /** The quickest of the last round trips, or null. @returns {number|null} */
  get trip_ms() {
    return this.samples.length ? Math.min(...this.samples.map((sample) => sample.trip_ms)) : null;
  }

  ping() {
    clearTimeout(this.heartbeat);
    clearTimeout(this.deadline);
    if (!this.send({ type: "ping", sent_ms: Date.now() })) return;
    this.deadline = setTimeout(() => this.abandon(), PONG_WITHIN_MS);
    this.heartbeat = setTimeout(() => this.ping(), PING_EVERY_MS);
  }

  /** @param {any} frame */
  receive(frame) {
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

  /** Open another connection after a wait. @param {number} wait */
  lost(wait = retryWaitMs(this.failures)) {
    clearTimeout(this.heartbeat);
    clearTimeout(this.deadline);
    this.socket = null;
    this.failures += 1;
    this.retry = setTimeout(() => this.open(), wait);
    this.handlers.onState("lost", Date.now() + wait);
  }

  /** The server refuses this connection, for good. */
  refused() {
    for (const timer of [this.heartbeat, this.deadline, this.retry]) clearTimeout(timer);
    this.ended = true;
    this.handlers.onState("refused", null);
  }

  /** Try at once: the network is back or somebody looks again. */
  hurry() {
    if (this.ended) return;
    if (this.socket === null) this.open();
    else this.ping();
  }
}
