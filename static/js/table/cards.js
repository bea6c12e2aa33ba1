// @ts-check
/** The cards over the board: waiting for an opponent, and the result of the match. */

import { byId, button, make, one, write } from "./dom.js";
import { endingText, gameTitle } from "./band.js";
import { fillFacts } from "./facts.js";
import { nameOf } from "./players.js";
import { announce } from "./notices.js";
import { money, rating, say, signed, signedMoney } from "./text.js";
import { nearSeat, seatAt, sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../types/frames.js").MatchResult} MatchResult */

/** Endings without a result, and those where somebody gave the match away or it was given. */
const UNDECIDED = new Set(["stood_up", "voided", "time_over", "left"]);
const NOTHING_COUNTS = new Set(["stood_up", "voided"]);
/** The endings of a session, which has games between its beginning and its end. */
const SESSION_ENDS = new Set(["stopped", "lapsed", "bank_short", "left", "time_over", "absent", "adjudicated"]);
const FORFEITS = new Set(["left", "time_over", "absent", "adjudicated"]);

export class WaitingCard {
  constructor() {
    this.root = byId("waiting");
    const link = /** @type {HTMLInputElement} */ (byId("table-link"));
    link.value = location.href.split(/[?#]/)[0];
    button("copy").addEventListener("click", async () => {
      link.select();
      try {
        await navigator.clipboard.writeText(link.value);
        announce(say("copied"));
        button("copy").classList.add("copied");
        setTimeout(() => button("copy").classList.remove("copied"), 1600);
      } catch {
        announce(say("copy_by_hand"));
      }
    });
  }

  /** @param {View} view @param {0|1|null} seat @param {boolean} free */
  show(view, seat, free) {
    const open = view.phase === "open";
    const gone = view.phase === "closed" && !view.result?.match;
    this.root.hidden = !open && !gone;
    if (!open && !gone) return;
    const mine = open && seat !== null;
    const part = (/** @type {string} */ name) => one(`[data-waiting="${name}"]`, this.root);
    write(part("title"), say(gone ? "table_closed" : mine ? "waiting_for_opponent" : "seat_is_free"));
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
      ? say("rate_and_limit", { rate: money(rate_cents), limit: money(most_lost_cents) })
      : say("stake_and_prize", { stake: money(stake_cents), prize: money(winner_cents) });
    return mine ? `${terms} ${say("nothing_taken_yet")}` : terms;
  }
}

export class ResultCard {
  constructor() {
    this.root = byId("result");
    this.closed = false;
    this.shown = "";
    button("close_result").addEventListener("click", () => {
      this.closed = true;
      this.root.hidden = true;
      this.again.hidden = false;
      this.again.focus();
    });
    this.again = button("show_result");
    this.again.addEventListener("click", () => {
      this.closed = false;
      this.root.hidden = false;
      this.again.hidden = true;
      byId("result-title").focus({ preventScroll: true });
    });
  }

  /** @param {View} view @param {0|1|null} seat @param {boolean} free */
  show(view, seat, free) {
    const match = ["over", "closed"].includes(view.phase) ? view.result?.match : null;
    if (!match) {
      this.root.hidden = true;
      this.again.hidden = true;
      this.closed = false;
      this.shown = "";
      return;
    }
    write(byId("result-title"), resultTitle(view, match, seat));
    write(byId("result-text"), resultText(view, match));
    fillFacts(byId("result-facts"), resultRows(view, seat, match));
    this.showRematch(view, match, seat, free);
    this.root.hidden = this.closed;
    this.again.hidden = !this.closed;
    const key = String(view.match);
    if (key !== this.shown) {
      this.shown = key;
      byId("result-title").focus({ preventScroll: true });
    }
  }

  /** @param {View} view @param {MatchResult} match @param {0|1|null} seat @param {boolean} free */
  showRematch(view, match, seat, free) {
    const again = button("rematch");
    const possible = seat !== null && view.phase === "over";
    again.hidden = !possible;
    again.disabled = !free || !possible || !view.actions[seat].includes("rematch");
    const mine = possible && view.rematch[seat];
    const theirs = possible && view.rematch[seatAt("op", seat)];
    const name = nameOf(view, "op", seat);
    write(again, say(theirs && !mine ? "accept_rematch" : "rematch"));
    const state = mine ? say("rematch_waits", { name }) : theirs ? say("wants_rematch", { name }) : "";
    const gone = seat !== null && view.phase === "closed" && match.ending !== "stood_up" ? say("no_rematch") : "";
    write(byId("rematch-text"), state || gone);
  }
}

/** Why a table without a result is closed. @param {View} view @returns {string} */
function closedText(view) {
  const opener = view.players[0];
  return opener && !view.players[1] ? say("closed_by_opener", { name: opener.name }) : say("table_closed_text");
}

/** @param {View} view @param {MatchResult} match @param {0|1|null} seat @returns {string} */
function resultTitle(view, match, seat) {
  if (view.banks_cents && !NOTHING_COUNTS.has(match.ending)) return say("session_over");
  if (match.winner === null) return say(UNDECIDED.has(match.ending) ? "match_void" : "match_drawn");
  const side = sideOf(seat, match.winner);
  if (view.terms.contest === "game") return gameTitle(view, seat, side, match.points || view.result?.points || 0);
  const near = nearSeat(seat);
  const values = { me: view.score[near], op: view.score[1 - near] };
  if (seat === null) return say("match_won_by", { ...values, name: nameOf(view, side ?? "me", seat) });
  const forfeit = FORFEITS.has(match.ending) ? "_forfeit" : "";
  return say(`${side === "me" ? "match_won" : "match_lost"}${forfeit}`, values);
}

/** @param {View} view @param {MatchResult} match @returns {string} */
function resultText(view, match) {
  if (view.banks_cents && SESSION_ENDS.has(match.ending)) return say(`session_ending_${match.ending}`);
  if (match.winner === null && !UNDECIDED.has(match.ending)) return say("match_ending_drawn");
  if (match.winner === null) {
    const kind = match.ending === "stood_up" ? "match_ending_stood_up" : "match_ending_voided";
    return say(view.terms.stake_cents ? kind : `${kind}_free`);
  }
  if (FORFEITS.has(match.ending)) return say(`match_ending_${match.ending}`);
  return view.result?.ending ? endingText(view, view.result) : "";
}

/** @param {View} view @param {0|1|null} seat @param {MatchResult} match @returns {[string, string, string][]} */
function resultRows(view, seat, match) {
  /** @type {[string, string, string][]} */
  const rows = [];
  const near = seatAt("me", seat);
  if (match.paid_cents && view.terms.stake_cents) {
    const paid = match.paid_cents[near];
    const net = paid - view.terms.stake_cents;
    if (seat !== null) rows.push([say("credits"), signedMoney(net), `big ${net < 0 ? "down" : "up"}`]);
    if (seat !== null) rows.push([say("paid_to_you"), money(paid), ""]);
    else for (const at of [0, 1]) rows.push([view.players[at]?.name ?? "", money(match.paid_cents[at]), ""]);
    rows.push([say("rake"), money(match.rake_cents ?? 0), ""]);
  }
  if (view.rated && match.elo_before && match.elo_after) {
    for (const at of seat === null ? [0, 1] : [near]) {
      const before = Math.round(Number(match.elo_before[at]));
      const after = Math.round(Number(match.elo_after[at]));
      const label = seat === null ? `${say("rating")} ${view.players[at]?.name ?? ""}` : say("rating");
      rows.push([label, `${rating(before)} → ${rating(after)} (${signed(after - before)})`, after < before ? "down" : "up"]);
    }
  }
  return rows;
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
