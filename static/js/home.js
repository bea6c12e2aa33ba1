// @ts-check
/* The front door: the board in its starting position. The button in front of it begins the game. */

import { BgBoard } from "../board/board.js";
import { positionFor } from "../board/position.js";

const host = /** @type {HTMLElement} */ (document.getElementById("first-board"));
const start = JSON.parse(document.getElementById("first-position")?.textContent ?? "{}");

const board = new BgBoard(host, { say: () => "", preferences: { animation_ms: 0 } }); // it is decoration here: the button has the words
board.set({
  position: positionFor(start, "against", 0),
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
host.classList.add("drawn");
