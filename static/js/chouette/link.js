// @ts-check
/**
 * The state of a chouette table on this page, kept in step with the server.
 *
 * The server reports over a socket that the table has changed, and the page fetches the view. Without a socket it
 * asks every few seconds. Commands are answered with the new view. The talk goes over the socket alone.
 */

import { retryWaitMs, socketAddress } from "../sockets.js";

const ASK_EVERY_MS = 3000;
/** A report may get lost: the page asks now and then beside a standing socket, too. */
const ASK_BESIDE_SOCKET_MS = 10_000;

/** @typedef {import("./view.js").View} View */
/** @typedef {{do: string, [field: string]: any}} Command */

/**
 * @typedef {object} Handlers
 * @property {(before: View|null) => void} onView  a view has come
 * @property {(code: string, message: string) => void} onRefused  a command was not carried out
 * @property {() => void} onOpen  the socket stands
 * @property {(frame: any) => void} onTalk  a frame about the talk
 * @property {() => void} onState  a command has gone out or was answered, or the connection was lost or found
 */

export class Link {
  /** @param {{view: string, commands: string, socket: string, token: string}} places @param {Handlers} handlers */
  constructor(places, handlers) {
    this.places = places;
    this.handlers = handlers;
    /** @type {View|null} */
    this.view = null;
    this.busy = false;
    this.lost = false;
    this.fetching = false;
    this.again = false;
    this.offset_ms = 0;
    this.asked_ms = performance.now();
    /** @type {WebSocket|null} */
    this.socket = null;
    this.failures = 0;
    setInterval(() => this.ask(), 500);
    document.addEventListener("visibilitychange", () => !document.hidden && void this.fetch());
    addEventListener("online", () => void this.fetch());
  }

  /** Whether a command may be given now. @returns {boolean} */
  get free() {
    return !this.busy && !this.lost;
  }

  /** The time of the server. @returns {number} */
  now_ms() {
    return Date.now() + this.offset_ms;
  }

  /** @param {View} first  the view that came with the page */
  open(first) {
    this.take(first);
    this.connect();
    void this.fetch(); // the page may come out of the memory of the browser
  }

  connect() {
    const socket = new WebSocket(socketAddress(this.places.socket));
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.failures = 0;
      void this.fetch();
      this.handlers.onOpen();
    });
    socket.addEventListener("message", ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.type !== "changed") this.handlers.onTalk(frame);
      else if (frame.seq > (this.view?.seq ?? -1)) void this.fetch();
    });
    socket.addEventListener("close", () => {
      setTimeout(() => this.connect(), retryWaitMs(this.failures));
      this.failures += 1;
    });
  }

  /** Send a frame about the talk. @param {object} frame @returns {boolean} whether the socket stands */
  send(frame) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Ask for the view when it is time to. */
  ask() {
    const stands = this.socket?.readyState === WebSocket.OPEN;
    const wait_ms = stands ? ASK_BESIDE_SOCKET_MS : ASK_EVERY_MS;
    if (performance.now() - this.asked_ms >= wait_ms) void this.fetch();
  }

  /** Fetch the view; while one is on its way, another one follows it. */
  async fetch() {
    this.asked_ms = performance.now();
    this.again = this.fetching;
    if (this.fetching) return;
    this.fetching = true;
    const answer = await fetch(this.places.view, { credentials: "same-origin", cache: "no-store" }).catch(() => null);
    const view = answer?.ok ? await answer.json().catch(() => null) : null;
    this.fetching = false;
    this.setLost(view === null);
    if (view) this.take(view);
    if (this.again) await this.fetch();
  }

  /** @param {boolean} lost */
  setLost(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.handlers.onState();
  }

  /** @param {View} view */
  take(view) {
    const before = this.view;
    if (before && view.seq < before.seq) return; // a newer one was here before
    this.offset_ms = view.now_ms - Date.now();
    this.view = view;
    this.handlers.onView(before);
  }

  /** Give a command; refused while another one waits for its answer. @param {Command} command @returns {Promise<boolean>} whether it was carried out */
  async give(command) {
    if (!this.free) return false;
    this.busy = true;
    this.handlers.onState();
    const { view, code, message } = await this.post(command);
    this.busy = false;
    this.handlers.onState();
    if (view) this.take(view);
    else this.handlers.onRefused(code, message);
    if (code === "stale") await this.fetch();
    return view !== null;
  }

  /** Give a command that nobody waits for: a part in the dice, or a reminder that time is up. @param {Command} command */
  async tell(command) {
    const { view } = await this.post(command);
    if (view) this.take(view);
  }

  /** @param {Command} command @returns {Promise<{view: View|null, code: string, message: string}>} */
  async post(command) {
    const answer = await fetch(this.places.commands, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", "X-CSRFToken": this.places.token },
      body: JSON.stringify(command),
    }).catch(() => null);
    const content = await answer?.json().catch(() => null);
    if (answer?.ok && content) return { view: content, code: "", message: "" };
    return { view: null, code: content?.code ?? "unreachable", message: content?.message ?? "" };
  }
}
