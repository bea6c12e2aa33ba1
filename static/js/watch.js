// @ts-check
/* Matches being played, each on a small board that follows it. The boards are decoration: the cards have the words. */

import { BgBoard } from "../board/board.js";
import { boardState } from "./table/view.js";

const ASK_EVERY_MS = 5000;

const list = /** @type {HTMLElement} */ (document.getElementById("watch-list"));
const news = /** @type {HTMLElement} */ (document.getElementById("watch-news"));

/** @typedef {import("./table/view.js").View} View */

/** @type {Map<string, {card: HTMLElement, board: BgBoard}>} */
const shown = new Map();

/** Show how a table stands. @param {string} id @param {View} view @param {boolean} animate */
function show(id, view, animate) {
  const { card, board } = /** @type {{card: HTMLElement, board: BgBoard}} */ (shown.get(id));
  board.set(boardState(view, null, true), { animate });
  const ended = view.phase === "over" || view.phase === "closed";
  card.classList.toggle("now-ended", ended);
  /** @type {HTMLElement} */ (card.querySelector("[data-ended]")).hidden = !ended;
  /** @type {HTMLElement} */ (card.querySelector(".now-score")).textContent = view.score.join(" : ");
}

/** Fetch the state of all boards. */
async function ask() {
  if (document.hidden) return;
  const asked = new URLSearchParams([...shown.keys()].map((id) => ["table", id]));
  const answer = await fetch(`${list.dataset.source}?${asked}`).catch(() => null);
  if (!answer?.ok) return; // the house is away for a moment: the next time will tell
  const { tables, more } = await answer.json();
  for (const [id, view] of Object.entries(tables)) show(id, view, true);
  news.hidden = !more;
}

const views = JSON.parse(document.getElementById("watch-views")?.textContent ?? "{}");
for (const card of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("[data-table]"))) {
  const id = card.dataset.table ?? "";
  const host = /** @type {HTMLElement} */ (card.querySelector(".board-host"));
  shown.set(id, { card, board: new BgBoard(host, { labels: null }) });
  show(id, views[id], false);
}
setInterval(() => void ask(), ASK_EVERY_MS);
document.addEventListener("visibilitychange", () => void ask());
