// @ts-check
/** Moves and talk share one place at the side: two tabs, moved between by the arrow keys. */

import { byId, one } from "./dom.js";

/** @typedef {"moves"|"talk"} Name */

export class Tabs {
  /** @param {(name: Name) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Name} */
    this.chosen = "moves";
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
  }

  /** @param {Name} name */
  choose(name) {
    this.chosen = name;
    for (const each of ["moves", "talk"]) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      byId(`panel-${each}`).hidden = each !== name;
    }
    this.onChange(name);
  }

  /** Whether a tab's content can be seen: the side may be a closed sheet. @param {Name} name @returns {boolean} */
  inSight(name) {
    return this.chosen === name && getComputedStyle(one("#side")).visibility === "visible" && document.visibilityState === "visible";
  }
}
