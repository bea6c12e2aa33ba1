// @ts-check
/** Moves and chat at the side: both at once where there is room, else two tabs, moved between by the arrow keys. */

import { byId, one } from "./dom.js";

/** @typedef {"moves"|"talk"} Name */

/** Both have room beside the board; table-talk.css arranges them for the same screens. */
const BOTH = "(min-width: 1081px) and (min-height: 700px)";

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
