// @ts-check
/** The card of a table that waits for an opponent; the notice that the opponent is away; the balance in the head; the choices of a dialog. */

import { byId, button, make, one, write } from "./dom.js";
import { announce } from "./notices.js";
import { nameOf } from "./players.js";
import { say } from "../say.js";
import { minutes, money } from "./text.js";

/** @typedef {import("./view.js").View} View */

export class WaitingCard {
  constructor() {
    this.root = byId("waiting");
  }

  /** @param {View} view @param {0|1|null} seat @param {boolean} free */
  show(view, seat, free) {
    const open = view.phase === "open";
    const gone = view.phase === "closed" && !view.result?.match;
    this.root.hidden = !open && !gone;
    if (!open && !gone) return;
    const mine = open && seat !== null;
    const part = (/** @type {string} */ name) => one(`[data-waiting="${name}"]`, this.root);
    write(part("title"), gone ? say("This table is closed") : mine ? say("Waiting for an opponent") : say("A seat is free at this table"));
    write(part("text"), gone ? closedText(view) : this.terms(view, mine));
    part("link").hidden = gone;
    part("join").hidden = gone || mine;
    part("lobby").hidden = !gone && mine;
    button("cancel").hidden = !mine;
    button("cancel").disabled = !free;
  }

  /** @param {View} view @param {boolean} mine @returns {string} */
  terms(view, mine) {
    const { stake_cents, rate_cents, winner_cents, most_lost_cents } = view.terms;
    if (!stake_cents) return "";
    const terms = rate_cents
      ? say("{rate} a point; nobody can lose more than {limit}.", { rate: money(rate_cents), limit: money(most_lost_cents) })
      : say("Stake {stake} each; the winner gets {prize}.", { stake: money(stake_cents), prize: money(winner_cents) });
    return mine ? `${terms} ${say("Nothing is reserved until someone sits down.")}` : terms;
  }
}

/** Why a table without a result is closed. @param {View} view @returns {string} */
function closedText(view) {
  const opener = view.players[0];
  return opener && !view.players[1] ? say("{name} closed this table, or left before anyone joined. Open tables are in the lobby.", { name: opener.name }) : say("This table is closed. Open tables are in the lobby.");
}

/** Bring the balance in the head of the page up to date, after the books have moved. */
export async function refreshBalance() {
  const shown = document.getElementById("balance");
  if (!shown) return;
  const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  write(shown, page.getElementById("balance")?.textContent ?? shown.textContent ?? "");
}

/** The levels of a resignation as radio buttons, lowest first. @param {HTMLElement} fieldset @param {{value: number, text: string, disabled?: boolean}[]} choices */
export function fillChoices(fieldset, choices) {
  const legend = one("legend", fieldset);
  const first = choices.find(({ disabled }) => !disabled);
  const ascending = [...choices].sort((one, two) => one.value - two.value);
  const labels = ascending.map(({ value, text, disabled = false }) => {
    const radio = document.createElement("input");
    Object.assign(radio, { type: "radio", name: "level", value: String(value), checked: value === first?.value, disabled });
    return make("label", "level", radio, make("span", "", text));
  });
  fieldset.replaceChildren(legend, ...labels);
}

/** The opponent is away on their own turn: how long the win cannot be claimed yet, then the claim. */
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
    write(this.text, left_ms ? say("{name} has lost connection. You can claim the win in {time}.", { name, time: minutes(left_ms) }) : say("{name} is still away. You may claim the win.", { name }));
    one(".row", this.root).hidden = left_ms > 0;
    button("claim").disabled = !free;
    this.root.hidden = false;
    if (left_ms || this.told_ms === claim_ms) return;
    this.told_ms = claim_ms;
    announce(say("{name} is still away. You may claim the win.", { name }));
  }
}
