// @ts-check
/** The room of a table: where the buttons and the band lie over the board, handed to the style sheet as custom properties; its side as a sheet, and the tabs in it. */

import { UNIT } from "../../board/geometry.js";
import { byId, button, one } from "./dom.js";
import { announce } from "./notices.js";
import { say } from "../say.js";

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
  board.on("refused", (/** @type {number} */ place) => announce(say("No legal move here: {place}", { place: place === 25 ? say("bar") : place })));
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

/** @typedef {"moves"|"talk"} Name */

/** Both have room beside the board; table-talk.css arranges them for the same screens. */
const BOTH = "(min-width: 1081px) and (min-height: 700px)";

/** Moves and chat at the side: both at once where there is room, else two tabs, moved between by the arrow keys. */
export class Tabs {
  /** @param {(name: Name) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Name} */
    this.chosen = "moves";
    this.both = matchMedia(BOTH);
    this.both.addEventListener("change", () => this.choose(this.chosen));
    for (const name of /** @type {Name[]} */ (["moves", "talk"])) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener("click", () => this.choose(name));
      tab.addEventListener("keydown", (event) => {
        if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
        event.preventDefault();
        const other = name === "moves" ? "talk" : "moves";
        this.choose(other);
        byId(`tab-${other}`).focus();
      });
    }
    if (this.both.matches) byId("panel-talk").hidden = false;
  }

  /** @param {Name} name */
  choose(name) {
    this.chosen = name;
    for (const each of ["moves", "talk"]) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      byId(`panel-${each}`).hidden = each !== name && !this.both.matches;
    }
    this.onChange(name);
  }

  /** Whether a tab's content can be seen: the side may be a closed sheet. @param {Name} name @returns {boolean} */
  inSight(name) {
    const chosen = this.chosen === name || this.both.matches;
    return chosen && one("#side").getClientRects().length > 0 && document.visibilityState === "visible";
  }
}
