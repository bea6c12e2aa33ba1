// @ts-check
/* WebSockets of the house: their address, when to connect again, and sockets over which the server reports changes. */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
/** A page that was away for longer may have lost the connection without an event. */
const AWAY_MS = 30_000;
/** The login has ended, or a guest has registered: the cookie of what follows may still be on its way. */
export const LOGGED_OUT = 4401;
export const LOGGED_OUT_WAIT_MS = 1500;

/** The whole address of a socket. @param {string} path */
export function socketAddress(path) {
  const url = new URL(path, location.href);
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** How long to wait after so many failed connections in a row: 250 ms · 2ⁿ, at most 8 s. @param {number} failures */
export function retryWaitMs(failures) {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}

/**
 * Pass on the type of each report of the server. One comes with every connection, so no change is missed.
 *
 * A lost connection is opened again: after a wait, when the network is back, and when the reader returns. After the
 * end of a login only the last two do so.
 * @param {string} path
 * @param {(type: string) => void} report
 * @param {() => void} [lost]  called whenever the connection has ended
 */
export function follow(path, report, lost = () => {}) {
  /** @type {WebSocket|null} */
  let current = null;
  let failures = 0;
  let retry = 0;
  let hiddenSince = 0;

  function connect() {
    clearTimeout(retry);
    const former = current;
    const socket = new WebSocket(socketAddress(path));
    current = socket;
    socket.addEventListener("message", (event) => {
      if (socket !== current) return;
      failures = 0;
      report(JSON.parse(event.data).type);
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== current) return;
      current = null;
      lost();
      if (code === LOGGED_OUT) return;
      retry = setTimeout(connect, retryWaitMs(failures));
      failures += 1;
    });
    former?.close();
  }

  addEventListener("online", connect);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenSince = performance.now();
    else if (!current || performance.now() - hiddenSince > AWAY_MS) connect();
  });
  connect();
}
