// @ts-check
/* Keeps the lobby's list fresh, and shows a challenge as soon as it is made. The server reports only that something changed; the page fetches the list again.
   While the reader points at the list or stands in it with the keyboard it does not jump: a button offers the news. */

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8000;
/** A page that was away for longer may have lost the connection without an event. */
const AWAY_MS = 30_000;

const area = /** @type {HTMLElement} */ (document.getElementById("lobby-list"));
const list = /** @type {HTMLElement} */ (document.getElementById("lobby-tables"));
const news = /** @type {HTMLButtonElement} */ (document.getElementById("lobby-news"));
let waitMs = FIRST_WAIT_MS;
/** @type {WebSocket|null} */
let current = null;
let retry = 0;
let hiddenSince = 0;

/** Fetch the list now. */
function refresh() {
  news.hidden = true;
  list.dispatchEvent(new CustomEvent("lobby:refresh"));
}

/** True while a swap could move something away under the reader's pointer or focus. */
function inUse() {
  return area.matches(":hover") || list.contains(document.activeElement);
}

/** The server has news. */
function changed() {
  if (inUse()) news.hidden = false;
  else refresh();
}

function connect() {
  clearTimeout(retry);
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}${list.dataset.socket}`);
  current = socket;
  socket.addEventListener("open", () => {
    waitMs = FIRST_WAIT_MS; // the server says `changed` as soon as it listens for us
  });
  socket.addEventListener("message", (event) => {
    if (socket !== current) return;
    const frame = JSON.parse(event.data);
    if (frame.type === "changed") changed();
    if (frame.type === "challenge") document.getElementById("challenges")?.dispatchEvent(new CustomEvent("challenges:refresh"));
  });
  socket.addEventListener("close", () => {
    if (socket !== current) return;
    retry = setTimeout(connect, waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  });
}

news.addEventListener("click", refresh);
area.addEventListener("mouseleave", () => {
  if (!news.hidden && !inUse()) refresh();
});

/** Connect anew: the former connection may be dead without any sign. */
function connectAgain() {
  const former = current;
  connect();
  former?.close();
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenSince = performance.now();
  else if (performance.now() - hiddenSince > AWAY_MS) connectAgain();
  else changed();
});
window.addEventListener("online", connectAgain);
connect();

export {}; // a module: its names are its own
