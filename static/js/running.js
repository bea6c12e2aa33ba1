// @ts-check
/* What concerns the reader on any page: the running games in the header, challenges and calls.
   The server reports that something changed, and the page fetches it. */

import { follow } from "./link.js";
import { granted, tell } from "./notify.js";

/** Between two requests for the games, however often they change. */
const PAUSE_MS = 900;

const area = /** @type {HTMLElement} */ (document.getElementById("running"));
let asked = 0;
let fetchedAt = 0;
/** When each clock was first seen, with the time that its text has. @type {WeakMap<HTMLElement, number>} */
const seen = new WeakMap();

/** Write the time that is left on each clock, as minutes and seconds. */
function tick() {
  const now = performance.now();
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-left-ms]"))) {
    if (!seen.has(clock)) seen.set(clock, now);
    const left = Math.max(0, Number(clock.dataset.leftMs) - (now - (seen.get(clock) ?? now)));
    const seconds = Math.floor(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

/** Fetch how the games stand now. */
async function refresh() {
  asked = 0;
  fetchedAt = performance.now();
  const answer = await fetch(area.dataset.source ?? "").catch(() => null);
  if (!answer?.ok) return; // the next change, or the next connection, shows it
  const text = await answer.text();
  const focused = area.contains(document.activeElement);
  area.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.childNodes);
  tick();
  if (focused) area.querySelector("a")?.focus();
}

/** Fetch soon; changes that follow each other are fetched together. */
function changed() {
  if (asked) return;
  asked = setTimeout(() => void refresh(), Math.max(0, fetchedAt + PAUSE_MS - performance.now()));
}

/** Show what the server reports. @param {string} type */
function reported(type) {
  if (type === "running") {
    changed();
    document.dispatchEvent(new CustomEvent("running:changed"));
  }
  if (type === "challenge") {
    changed(); // the header says who has come, and at a table who challenges
    document.getElementById("challenges")?.dispatchEvent(new CustomEvent("challenges:refresh"));
    document.getElementById("seat-offer")?.dispatchEvent(new CustomEvent("seat-offer:refresh"));
    document.getElementById("calls")?.dispatchEvent(new CustomEvent("calls:refresh"));
  }
}

/* Where the page shows one's own games a change is a new page: board, clock and words change together. */
if (document.querySelector("[data-own]")) {
  let quiet = true; // the first report comes with the connection
  document.addEventListener("running:changed", () => {
    if (quiet) quiet = false;
    else location.reload();
  });
}

tick();
setInterval(tick, 1000);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) changed();
});
follow(area.dataset.socket ?? "", reported);

/* Notifies a reader on another page or window of a challenge or a called match, if they have chosen so in the settings. */

const chosen = document.getElementById("challenges");
const house = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="application-name"]'))?.content ?? "";
const places = [chosen, document.getElementById("calls")];
/** @type {Set<string>} */
const known = new Set();

/** Whether the reader has chosen notifications of challenges, and this browser may show them. */
const wanted = () => chosen?.dataset.notify === "on" && granted();

/** Read what waits in a place now; notify of what is new. @param {HTMLElement} place @param {boolean} first */
function look(place, first) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-challenge]"))) {
    const id = row.dataset.challenge ?? "";
    if (known.has(id)) continue;
    known.add(id);
    const address = row.querySelector("a")?.getAttribute("href") ?? row.dataset.address ?? "/";
    if (!first && wanted()) void tell({ title: house, body: row.querySelector("span")?.textContent ?? "", tag: id, address });
  }
}

for (const place of places) {
  if (!place) continue;
  look(place, true);
  place.addEventListener("htmx:afterSwap", () => look(place, false));
}
