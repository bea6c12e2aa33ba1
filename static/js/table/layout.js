// @ts-check
/** The room of a table: where the buttons and the band lie over the board, handed to the style sheet as custom properties; its side as a sheet. */

import { UNIT } from "../../board/geometry.js";
import { byId, button } from "./dom.js";
import { announce } from "./notices.js";
import { say } from "./text.js";

/** @typedef {import("../../board/geometry.js").Layout} Layout */
/** @typedef {import("../../board/geometry.js").Box} Box */

/** @param {Layout} L @param {number} scale  CSS pixels per unit @param {Box} box  where the board lies in the window */
function placeControls(L, scale, box) {
  const play = byId("play");
  const outer = play.getBoundingClientRect();
  const left = box.x - outer.left;
  const top = box.y - outer.top;
  /** @type {Record<string, number>} */
  const places = {
    "board-left": left,
    "board-top": top,
    "board-width": box.w,
    "board-height": box.h,
    "middle-y": top + L.yMid * scale,
    "half-left": left + L.xRight * scale,
    "half-width": 6 * UNIT * scale,
    "free-left": left + (L.xRight + 288) * scale,
    "free-width": (6 * UNIT - 298) * scale,
  };
  for (const [name, value] of Object.entries(places)) play.style.setProperty(`--${name}`, `${value.toFixed(1)}px`);
  play.dataset.layout = L.portrait ? "portrait" : "wide";
}

/** Keep the page as high as what a keyboard on the screen leaves free: the sheet shrinks, the board stays in view. */
export function fitKeyboard() {
  const view = window.visualViewport;
  if (!view) return;
  view.addEventListener("resize", () => {
    document.documentElement.style.setProperty("--view-height", `${view.height.toFixed(0)}px`);
    scrollTo(0, 0);
  });
}

/** Keep the controls where the board is, and say which moves it refuses. @param {import("../../board/board.js").BgBoard} board */
export function attendBoard(board) {
  board.on("refused", (/** @type {number} */ place) => announce(say("cannot_move_there", { place: place === 25 ? say("bar") : place })));
  board.on("layout", ({ layout, scale, box }) => placeControls(layout, scale, box));
}

/** On small screens what lies beside the board is a sheet. @param {() => void} opened @returns {(open: boolean) => void} opens or closes it */
export function sideSheet(opened) {
  const room = byId("room");
  const show = (/** @type {boolean} */ open) => {
    room.classList.toggle("panel-open", open);
    button("panel").setAttribute("aria-expanded", String(open));
    button(open ? "panel_close" : "panel").focus();
    if (open) opened();
  };
  button("panel").addEventListener("click", () => show(!room.classList.contains("panel-open")));
  button("panel_close").addEventListener("click", () => show(false));
  return show;
}
