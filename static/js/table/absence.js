// @ts-check
/** The notice that the opponent is away on their own turn: how long the win cannot be claimed yet, then the claim. */

import { byId, button, one, write } from "./dom.js";
import { announce } from "./notices.js";
import { nameOf } from "./players.js";
import { minutes, say } from "./text.js";

/** @typedef {import("./view.js").View} View */

export class AbsenceNotice {
  /** @param {() => void} claim  claims the win; a dialog asks for confirmation */
  constructor(claim) {
    this.root = byId("absence");
    this.text = one("p", this.root);
    /** The absence that the player has chosen to wait out. @type {number|null} */
    this.waived_ms = null;
    this.told_ms = 0;
    button("claim").addEventListener("click", claim);
    button("wait").addEventListener("click", () => {
      this.waived_ms = this.told_ms;
      this.root.hidden = true;
    });
  }

  /** @param {View} view @param {0|1|null} seat @param {boolean} free @param {number} now_ms */
  show(view, seat, free, now_ms) {
    const { claim_ms } = view;
    if (claim_ms === null || seat === null || !view.actions[seat].includes("claim") || claim_ms === this.waived_ms) {
      this.root.hidden = true;
      return;
    }
    const left_ms = Math.max(0, claim_ms - now_ms);
    const name = nameOf(view, "op", seat);
    write(this.text, left_ms ? say("absent_for", { name, time: minutes(left_ms) }) : say("may_claim", { name }));
    one(".row", this.root).hidden = left_ms > 0;
    button("claim").disabled = !free;
    this.root.hidden = false;
    if (left_ms || this.told_ms === claim_ms) return;
    this.told_ms = claim_ms;
    announce(say("may_claim", { name }));
  }
}
