// @ts-check
/** Coming and going: sitting down, standing up now or after this game, a house bot, the next game at once. */

import { button, byId, closes, dialog, write } from "../table/dom.js";
import { say, sayCount } from "../say.js";
import { money } from "../table/text.js";
import { isSeated, personOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {(command: import("../table/session.js").Command) => void} Give */

const percent = new Intl.NumberFormat(document.documentElement.lang || "en", { style: "percent", maximumFractionDigits: 2 });

export class Seats {
  /** @param {Give} give */
  constructor(give) {
    this.give = give;
    /** @type {View|null} */
    this.view = null;
    this.sit = dialog("sit-dialog");
    this.stand = dialog("stand-dialog");
    for (const pressed of document.querySelectorAll('[data-action="sit"]')) pressed.addEventListener("click", () => this.askToSit());
    button("stand_up").addEventListener("click", () => this.askToStand());
    button("invite_bot").addEventListener("click", () => give({ type: "invite_bot" }));
    closes("sit_confirm", this.sit, () => give({ type: "sit" }));
    closes("stand_confirm", this.stand, () => give({ type: "stand_up" }));
    closes("stand_later", this.stand, () => give({ type: "leave_after", on: !this.leavesAfter }));
  }

  /** Whether the viewer stands up after this game. @returns {boolean} */
  get leavesAfter() {
    const { view } = this;
    return view !== null && view.me !== null && Boolean(personOf(view, view.me)?.leaves_after);
  }

  /** @param {View} view @param {boolean} free */
  show(view, free) {
    this.view = view;
    const { sit, stand_up, leave_after, invite_bot } = view.actions;
    for (const pressed of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('.foot [data-action="sit"]'))) {
      pressed.hidden = !sit;
      pressed.disabled = !free;
    }
    button("invite_bot").hidden = !invite_bot;
    button("invite_bot").disabled = !free;
    button("stand_up").hidden = !stand_up && !leave_after;
    button("stand_up").disabled = !free;
    write(byId("stand-label"), this.leavesAfter ? say("You leave after this game") : say("Leave"));
    if (this.stand.open) this.describeStanding(view);
    if (this.sit.open && isSeated(view)) this.sit.close();
  }

  askToSit() {
    const { view } = this;
    if (!view) return;
    const { rate_cents, limit_cents, rake_bps } = view.terms;
    if (!rate_cents) {
      this.give({ type: "sit" });
      return;
    }
    const amounts = { rate: money(rate_cents), limit: money(limit_cents), rake: percent.format(rake_bps / 10_000) };
    write(byId("sit-text"), say("A point is worth {rate}. Two players win at most {limit} from each other in a game. The house takes {rake} of what is won.", amounts));
    this.sit.showModal();
  }

  askToStand() {
    const { view } = this;
    if (!view) return;
    if (!view.leave_costs && !view.actions.leave_after) {
      this.give({ type: "stand_up" });
      return;
    }
    this.describeStanding(view);
    this.stand.showModal();
  }

  /** @param {View} view */
  describeStanding(view) {
    const costs = view.leave_costs;
    write(byId("stand-text"), costs ? costsText(costs) : say("Standing up costs nothing."));
    write(button("stand_confirm"), costs ? sayCount("Lose {count} point", "Lose {count} points", { count: costs?.points ?? 0 }) : say("Leave now"));
    button("stand_confirm").hidden = !view.actions.stand_up;
    button("stand_later").hidden = !view.actions.leave_after;
    write(button("stand_later"), this.leavesAfter ? say("Stay seated") : say("Leave after this game"));
  }
}

/** The price of standing up. @param {{points: number, cents: number}} costs @returns {string} */
function costsText({ points: count, cents }) {
  if (!cents) return sayCount("You are in the middle of a game. Standing up now costs {count} point.", "You are in the middle of a game. Standing up now costs {count} points.", { count });
  return sayCount("You are in the middle of a game. Standing up now costs {count} point: {amount}.", "You are in the middle of a game. Standing up now costs {count} points: {amount}.", { count, amount: money(cents) });
}
