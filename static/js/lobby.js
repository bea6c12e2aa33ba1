// @ts-check
/* Keeps a list of tables fresh, in the lobby and of chouettes. The server reports only that it changed; the page
   fetches it again. While the reader points at the list or stands in it with the keyboard it does not jump: a button
   offers the news. */

import { follow } from "./link.js";

const area = /** @type {HTMLElement} */ (document.getElementById("lobby-list"));
const list = /** @type {HTMLElement} */ (document.getElementById("lobby-tables"));
const news = /** @type {HTMLButtonElement} */ (document.getElementById("lobby-news"));

/** Whether the reader asked for the list that is on its way. */
let asked = false;

/** Fetch the list now. */
function refresh(byReader = false) {
  news.hidden = true;
  asked = byReader;
  list.dispatchEvent(new CustomEvent("lobby:refresh"));
}

/** True while a swap could move something away under the reader's pointer or focus. */
function inUse() {
  return area.matches(":hover") || list.contains(document.activeElement) || document.querySelector("#lobby-mine:is(:hover, :focus-within)") !== null;
}

/** The server has news. */
function changed() {
  if (inUse()) news.hidden = false;
  else refresh();
}

news.addEventListener("click", () => refresh(true));
// the reader may have come to the list while it was on its way
list.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  if (detail.requestConfig.elt !== list || asked || !inUse()) return;
  detail.shouldSwap = false;
  news.hidden = false;
});
area.addEventListener("mouseleave", () => {
  if (!news.hidden && !inUse()) refresh();
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) changed();
});
follow(list.dataset.socket ?? "", (type) => {
  if (type === "changed") changed();
});
