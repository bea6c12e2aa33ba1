// @ts-check
/** Resigning, leaving and claiming the win: each names its price, or what it brings, before it is done. */

import { byId, button, one, write } from "./dom.js";
import { worth } from "./facts.js";
import { fillChoices } from "./cards.js";
import { nameOf } from "./players.js";
import { money, say } from "./text.js";
import { endsMatch, seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {(command: {type: string, [field: string]: any}) => void} Give */

/** The last word is not taken from a double click on the word before it. */
const ARMED_AFTER_MS = 700;

const dialog = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

export class ResignDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = dialog("resign-dialog");
    this.levels = byId("resign-levels");
    /** @type {View|null} */
    this.view = null;
    /** @type {0|1|null} */
    this.seat = null;
    this.levels.addEventListener("change", () => this.price());
    button("resign_confirm").addEventListener("click", () => {
      this.root.close();
      give({ type: "offer_resignation", level: this.level });
    });
  }

  /** @returns {number} */
  get level() {
    const chosen = /** @type {HTMLInputElement|null} */ (this.levels.querySelector("input:checked"));
    return Number(chosen?.value ?? 1);
  }

  /** @param {View} view @param {0|1|null} seat */
  open(view, seat) {
    this.view = view;
    this.seat = seat;
    const cube = view.cube.value;
    fillChoices(this.levels, view.resignable_levels.map((level) => ({
      value: level,
      text: say("resign_level", { level: say(`level_${level}`), worth: worth(view, level * cube) }),
    })));
    this.price();
    this.root.showModal();
  }

  price() {
    const { view, seat } = this;
    if (!view) return;
    const points = this.level * view.cube.value;
    const name = nameOf(view, "op", seat);
    const loses = endsMatch(view, seatAt("op", seat), points) && view.terms.stake_cents > 0;
    const cost = loses
      ? say("resign_loses_match", { name, amount: money(view.terms.stake_cents) })
      : say("resign_costs", { name, worth: worth(view, points) });
    write(byId("resign-cost"), cost);
    write(button("resign_confirm"), say("resign_now", { count: points }));
  }
}

export class LeaveDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = dialog("leave-dialog");
    this.timer = 0;
    button("leave_continue").addEventListener("click", () => this.step(2));
    button("leave_confirm").addEventListener("click", () => {
      this.root.close();
      give({ type: "leave" });
    });
  }

  /** @param {View} view @param {0|1|null} seat */
  open(view, seat) {
    const cost = seat === null ? null : (view.leave_costs?.[seat] ?? null);
    const name = nameOf(view, "op", seat);
    const amount = cost ? money(cost.credits_cents) : "";
    const key = cost?.match ? "leave_match" : cost?.credits_cents ? "leave_points" : "leave_free";
    const text = say(key, { name, amount, count: cost?.points ?? 0 });
    write(byId("leave-cost"), text);
    write(button("leave_confirm"), cost?.credits_cents ? say("leave_and_lose", { amount }) : say("leave_now"));
    this.step(1);
    this.root.showModal();
  }

  /** @param {1|2} step */
  step(step) {
    for (const part of this.root.querySelectorAll("[data-step]")) {
      /** @type {HTMLElement} */ (part).hidden = /** @type {HTMLElement} */ (part).dataset.step !== String(step);
    }
    const last = button("leave_confirm");
    last.disabled = step === 2;
    clearTimeout(this.timer);
    if (step === 1) return;
    one("button[value=cancel]", this.root).focus();
    this.timer = setTimeout(() => (last.disabled = false), ARMED_AFTER_MS);
  }
}

export class ClaimDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = dialog("claim-dialog");
    button("claim_confirm").addEventListener("click", () => {
      this.root.close();
      give({ type: "claim" });
    });
  }

  /** The claim wins as much as the opponent would forfeit by leaving. @param {View} view @param {0|1} seat */
  open(view, seat) {
    const brings = view.leave_costs?.[seatAt("op", seat)];
    const count = brings?.points ?? 0;
    const amount = money(brings?.match ? view.terms.winner_cents : (brings?.credits_cents ?? 0));
    const key = brings?.match ? "claim_match" : brings?.credits_cents ? "claim_points" : "claim_free";
    write(byId("claim-brings"), say(key, { name: nameOf(view, "op", seat), amount, count }));
    this.root.showModal();
  }
}

/** Close what no longer applies, such as a resignation after the turn has passed. @param {string[]} allowed */
export function closeStaleDialogs(allowed) {
  if (!allowed.includes("offer_resignation")) dialog("resign-dialog").close();
  if (!allowed.includes("leave")) dialog("leave-dialog").close();
  if (!allowed.includes("claim")) dialog("claim-dialog").close();
}
