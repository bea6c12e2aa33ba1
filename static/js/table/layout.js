// @ts-check
/** Where the buttons and the band lie over the board, handed to the style sheet as custom properties. */

import { UNIT } from "../../board/geometry.js";
import { byId } from "./dom.js";

/** @typedef {import("../../board/geometry.js").Layout} Layout */
/** @typedef {import("../../board/geometry.js").Box} Box */

/** @param {Layout} L @param {number} scale  CSS pixels per unit @param {Box} box  where the board lies in the window */
export function placeControls(L, scale, box) {
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
