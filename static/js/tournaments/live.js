// @ts-check
/* Keeps the page of a tournament and the calendar fresh. The server reports only that something changed, and the page
   fetches it. So that not everybody fetches at the same moment, only a player who waits for a match does so at once;
   all others wait a little, by chance. While there is no socket the page asks again and again. */

import { follow } from "../link.js";

/**
 * How a page fetches: `spread_ms` is the longest wait after news, `gap_ms` the shortest time between two fetches
 * because of news, `poll_ms` the time between two fetches without a socket. The page names its pace in `data-pace`.
 */
const PACES = {
  waits: { spread_ms: 0, gap_ms: 0, poll_ms: 2000 },
  plays: { spread_ms: 1000, gap_ms: 1000, poll_ms: 4000 },
  looks: { spread_ms: 1000, gap_ms: 4000, poll_ms: 4000 },
  lists: { spread_ms: 1000, gap_ms: 5000, poll_ms: 5000 },
};
const REFRESH = "tournament:refresh";
/** With a socket: in case that something was missed. */
const SLOW_POLL_MS = 30_000;

let connected = false;
/** A fetch is under way. */
let busy = false;
/** Something changed while a fetch was under way, or while nobody looked. */
let again = false;
let fetchedAt = performance.now();
let timer = 0;
let dueAt = Infinity;

/** What fetches; the page of a tournament that is over has nothing of the kind. */
const source = () => /** @type {HTMLElement|null} */ (document.querySelector("[data-pace]"));

/** @param {HTMLElement} element */
const paceOf = (element) => PACES[/** @type {keyof typeof PACES} */ (element.dataset.pace)];

/** Fetch at this time, or before. @param {number} at  as performance.now() counts */
function plan(at) {
  if (at >= dueAt) return;
  clearTimeout(timer);
  dueAt = at;
  timer = setTimeout(refresh, Math.max(0, at - performance.now()));
}

/** Ask again after a while if there is no news until then. */
function planNext() {
  const element = source();
  if (element) plan(performance.now() + (connected ? SLOW_POLL_MS : paceOf(element).poll_ms));
}

/** Fetch now, unless nobody looks. */
function refresh() {
  clearTimeout(timer);
  dueAt = Infinity;
  const element = source();
  if (!element) return;
  again = document.hidden || busy;
  if (again) return;
  fetchedAt = performance.now();
  element.dispatchEvent(new CustomEvent(REFRESH));
  planNext();
}

/** There is news. */
function changed() {
  const element = source();
  if (!element) return;
  again = busy; // what is on its way may be from before
  const { spread_ms, gap_ms } = paceOf(element);
  if (!busy) plan(Math.max(performance.now() + Math.random() * spread_ms, fetchedAt + gap_ms));
}

/** Whether an event of htmx is about a fetch of this module. @param {Event} event */
const isOurs = (event) => /** @type {CustomEvent} */ (event).detail.requestConfig?.triggeringEvent?.type === REFRESH;

/** A fetch begins. @param {Event} event */
function begun(event) {
  if (isOurs(event)) busy = true;
}

/** A fetch has ended, well or not. @param {Event} event */
function ended(event) {
  if (!isOurs(event)) return;
  busy = false;
  if (again) changed();
  planNext(); // the new part of the page may have another pace
}

/** Follow the socket that the page names, if it names one. */
export function keepFresh() {
  const path = /** @type {HTMLElement|null} */ (document.querySelector("[data-news]"))?.dataset.news;
  if (!path) return;
  document.body.addEventListener("htmx:beforeSend", begun);
  document.body.addEventListener("htmx:afterRequest", ended);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && again) refresh();
  });
  planNext();
  follow(
    path,
    (type) => {
      connected = true;
      if (type === "changed") changed();
    },
    () => {
      connected = false;
      planNext();
    },
  );
}
