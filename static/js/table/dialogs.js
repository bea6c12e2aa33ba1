// @ts-check
/** Resigning, leaving and claiming the win: each names its price, or what it brings, before it is done. And the door. */

import { byId, button, closes, dialog, one, write } from "./dom.js";
import { fillChoices } from "./cards.js";
import { nameOf } from "./players.js";
import { refusedLevels } from "./reasons.js";
import { amountFor, endsMatch, levelsOf, resigned, sizeFor, worthOf } from "./stakes.js";
import { say, sayCount } from "../say.js";
import { levelName, money, signedMoney } from "./text.js";
import { seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {(command: {type: string, [field: string]: any}) => void} Give */

/** The last word is not taken from a double click on the word before it. */
const ARMED_AFTER_MS = 700;

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
    closes("resign_confirm", this.root, () => give({ type: "offer_resignation", level: this.level }));
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
    const me = seatAt("me", seat);
    const levels = levelsOf(view, me).filter((worth) => view.resignable_levels.includes(worth.level));
    const offered = levels.map((worth) => ({
      value: worth.level,
      text: say("{level}: {worth}", { level: levelName(view.variant, worth.level), worth: amountFor(view, worth, me) }),
    }));
    fillChoices(this.levels, [...offered, ...refusedLevels(view)]);
    this.price();
    this.root.showModal();
  }

  price() {
    const { view, seat } = this;
    if (!view) return;
    const worth = resigned(view, seatAt("me", seat), this.level);
    if (!worth) return;
    write(byId("resign-cost"), resignText(view, worth, seat));
    write(button("resign_confirm"), sayCount("Resign {count} point", "Resign {count} points", { count: worth.points }));
  }
}

/** @param {View} view @param {import("./stakes.js").Worth} worth @param {0|1|null} seat @returns {string} */
function resignText(view, worth, seat) {
  const name = nameOf(view, "op", seat);
  const me = worth.change_cents[seatAt("me", seat)];
  const op = worth.change_cents[seatAt("op", seat)];
  if (view.terms.rate_cents) return say("If accepted, you lose {amount} and {name} gains {gain}.", { name, amount: money(-me), gain: money(op) });
  if (!endsMatch(view, worth) || !view.terms.stake_cents) {
    return say("If accepted, {name} wins {worth}.", { name, worth: sizeFor(view, worth, seatAt("op", seat)) });
  }
  if (op > 0) return say("If accepted, {name} wins the match and your stake of {amount} is lost.", { name, amount: money(-me) });
  return sayCount("If accepted, {name} wins {count} point and the match is over. Your credits: {amount}.", "If accepted, {name} wins {count} points and the match is over. Your credits: {amount}.", { name, count: worth.points, amount: signedMoney(me) });
}

export class LeaveDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = dialog("leave-dialog");
    this.timer = 0;
    button("leave_continue").addEventListener("click", () => this.step(2));
    closes("leave_confirm", this.root, () => give({ type: "leave" }));
  }

  /** @param {View} view @param {0|1|null} seat */
  open(view, seat) {
    const cost = seat === null ? null : worthOf(view, seat, "leave");
    const lost_cents = cost && seat !== null ? -cost.change_cents[seat] : 0;
    write(byId("leave-cost"), cost ? leaveText(view, cost, lost_cents, seat) : "");
    const now = lost_cents > 0 ? say("Leave and lose {amount}", { amount: money(lost_cents) }) : say("Leave now");
    write(button("leave_confirm"), now);
    byId("leave-pause").hidden = Boolean(view.terms.practice);
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

/** The price of leaving; a double that waits for my answer is dropped by it. @param {View} view @param {import("./stakes.js").Worth} cost @param {number} lost_cents @param {0|1|null} seat @returns {string} */
function leaveText(view, cost, lost_cents, seat) {
  const name = nameOf(view, "op", seat);
  if (!cost.points) return lost_cents ? say("You forfeit the match: {name} wins the prize and you lose your stake of {amount}.", { name, amount: money(lost_cents) }) : say("You forfeit the whole match: {name} wins it.", { name, amount: money(lost_cents) });
  const dropped = seat !== null && worthOf(view, seat, "drop") ? `${say("A double waits for your answer: leaving drops it.")} ` : "";
  const values = { name, amount: money(lost_cents), count: cost.points };
  const forfeits = lost_cents
    ? sayCount("You forfeit: {name} wins {count} point and you lose {amount}.", "You forfeit: {name} wins {count} points and you lose {amount}.", values)
    : sayCount("You forfeit: {name} wins {count} point.", "You forfeit: {name} wins {count} points.", values);
  const ends = view.banks_cents ? ` ${say("Then the session is over, and what is left of both banks is paid.")}` : "";
  return dropped + forfeits + ends;
}

/** What a claim brings: points, or the whole match. @param {string} name @param {number} gain_cents @param {number} count @returns {string} */
function claimText(name, gain_cents, count) {
  const amount = money(gain_cents);
  if (!count) return gain_cents ? say("{name} forfeits: you win the match and gain {amount}.", { name, amount }) : say("{name} forfeits: you win the match.", { name });
  return gain_cents
    ? sayCount("{name} forfeits: you win {count} point and gain {amount}.", "{name} forfeits: you win {count} points and gain {amount}.", { name, amount, count })
    : sayCount("{name} forfeits: you win {count} point.", "{name} forfeits: you win {count} points.", { name, count });
}

export class ClaimDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = dialog("claim-dialog");
    closes("claim_confirm", this.root, () => give({ type: "claim" }));
  }

  /** The claim wins as much as the opponent would forfeit by leaving. @param {View} view @param {0|1} seat */
  open(view, seat) {
    const brings = worthOf(view, seatAt("op", seat), "leave");
    const gain_cents = brings?.change_cents[seat] ?? 0;
    const count = brings?.points ?? 0;
    const wins = claimText(nameOf(view, "op", seat), gain_cents, count);
    write(byId("claim-brings"), wins + (view.banks_cents ? ` ${say("Then the session is over, and what is left of both banks is paid.")}` : ""));
    this.root.showModal();
  }
}

/** Before the first roll of a match, leaving the seat costs nothing; in a tournament it loses the match. */
export class GiveUpDialog {
  /** @param {Give} give */
  constructor(give) {
    this.root = /** @type {HTMLDialogElement|null} */ (document.getElementById("give-up-dialog"));
    if (this.root) closes("give_up_confirm", this.root, () => give({ type: "stand_up" }));
  }

  open() {
    this.root?.showModal();
  }
}

/** Close what no longer applies, such as a resignation after the turn has passed. @param {string[]} allowed */
export function closeStaleDialogs(allowed) {
  if (!allowed.includes("offer_resignation")) dialog("resign-dialog").close();
  if (!allowed.includes("leave")) dialog("leave-dialog").close();
  if (!allowed.includes("claim")) dialog("claim-dialog").close();
  if (!allowed.includes("stand_up")) /** @type {HTMLDialogElement|null} */ (document.getElementById("give-up-dialog"))?.close();
}

/** The way is not barred by a table that does not answer. */
const ANSWER_WITHIN_MS = 1500;

/** After a match, going back to the lobby or the tournament means standing up: no player stays seated at a table they have left. @param {import("./match-session.js").MatchSession} session @param {string} door  the path that leads out */
export function leaveByTheDoor(session, door) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement|null} */ (event.target.closest("a[href]")) : null;
    if (!link || link.pathname !== door || link.origin !== location.origin) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (session.view?.phase !== "over" || !session.actions.includes("stand_up")) return;
    if (!session.command({ type: "stand_up" })) return;
    event.preventDefault();
    const go = () => location.assign(link.href);
    const late = setTimeout(go, ANSWER_WITHIN_MS);
    void session.answered().then(() => {
      clearTimeout(late);
      go();
    });
  });
}
