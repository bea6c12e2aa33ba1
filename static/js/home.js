// @ts-check
/* The front door: the boards of running games, and the starting position. They are decoration: the cards have the words. */

import { BgBoard } from "../board/board.js";
import { positionFor } from "../board/position.js";
import { boardState } from "./table/view.js";

/** @typedef {import("./table/view.js").View} View */

const options = { labels: null, preferences: { animation_ms: 0 } };

/** What the server wrote into the page. @param {string} id */
const written = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");

/** A board, which comes into view when it is laid out. @param {HTMLElement} host */
function board(host) {
  const made = new BgBoard(host, options);
  made.on("layout", () => host.classList.add("drawn"));
  return made;
}

const first = document.getElementById("first-board");
if (first) {
  board(first).set({
    position: positionFor(written("first-position"), "against", 0),
    way: "against",
    pins: false,
    dice: null,
    faintDice: null,
    cube: { value: 1, owner: null, offeredTo: null, ready: false, resting: false },
    graph: null,
    turn: "start",
    last: null,
    tapRolls: false,
    locked: true,
  });
}

/** @type {Record<string, {view: View, seat: 0|1|null}>} */
const views = written("home-views");
for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".now-table"))) {
  const host = /** @type {HTMLElement|null} */ (card.querySelector(".board-host"));
  const shown = views[card.dataset.table ?? ""];
  if (!host || !shown) continue;
  const view = { ...shown.view, actions: /** @type {View["actions"]} */ ([[], []]), graph: null };
  board(host).set(boardState(view, shown.seat, true));
}
