// @ts-check
/**
 * The card at the end of a match: the result, who gets what of the pot, the ratings, and what to do next.
 *
 * Credits and ratings are those of the event `match_settled`, which is sent after the commit. Nothing is
 * calculated here but differences of these amounts.
 */

import { endingText, gameTitle } from "./band.js";
import { byId, button, make, one, write } from "./dom.js";
import { fillFacts } from "./facts.js";
import { showMistakes } from "./mistakes.js";
import { nameOf } from "./players.js";
import { say, sayCount } from "../say.js";
import { money, rating, signed, signedMoney } from "./text.js";
import { isAlone, nearSeat, scoreOf, seatAt, sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../types/frames.js").MatchResult} MatchResult */
/** @typedef {[string, string, string]} Row  term, text, look */

/** Endings without a result. */
const UNDECIDED = new Set(["stood_up", "voided", "time_over", "left"]);
const NOTHING_COUNTS = new Set(["stood_up", "voided"]);
/** The endings of a session, which has games between its beginning and its end. */
/** @type {Record<string, string>} */
const SESSION_ENDS = {
  stopped: say("A player stopped between two games."),
  lapsed: say("The players were not both ready in time; that costs nothing."),
  bank_short: say("A bank no longer covers another game."),
  left: say("The table was left during a game. That game is lost, and the session is over."),
  time_over: say("The clock ran out. That game is lost, and the session is over."),
  absent: say("A player was away on their own turn for too long. That game is lost, and the session is over."),
  adjudicated: say("The administrators decided how this session ends."),
};
/** Who left has a sentence with a name. @type {Record<string, string>} */
const FORFEITS = {
  left: "",
  time_over: say("A player ran out of time and forfeits the match."),
  absent: say("A player was away for too long on their turn and forfeits the match."),
  adjudicated: say("The administrators decided this match."),
};
const NOT_BEGUN = {
  staked: say("A player left their seat before the first roll. Both stakes were returned in full; ratings do not change."),
  free: say("A player left their seat before the first roll. The match does not count."),
};
const VOIDED = {
  staked: say("The match was voided. Both stakes were returned in full; ratings do not change."),
  free: say("The match was voided and does not count."),
};

/** Whether the match belongs to a tournament: it has no rematch, and is lost by leaving before it began. */
const inTournament = () => Boolean(byId("room").dataset.tournament);

export class ResultCard {
  constructor() {
    this.root = byId("result");
    this.closed = false;
    this.shown = "";
    this.again = button("show_result");
    button("close_result").addEventListener("click", () => this.close());
    this.again.addEventListener("click", () => this.open());
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.close();
    });
  }

  /** Show the position; a button opens the card again. */
  close() {
    this.closed = true;
    this.root.hidden = true;
    this.again.hidden = false;
    this.again.focus();
  }

  open() {
    this.closed = false;
    this.root.hidden = false;
    this.again.hidden = true;
    byId("result-title").focus({ preventScroll: true });
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
    write(byId("result-text"), resultText(view, match, seat));
    this.root.dataset.for = seat === null || match.winner === null ? "none" : match.winner === seat ? "winner" : "loser";
    this.showCredits(view, match, seat);
    showRatings(view, match, seat);
    showLinks(view);
    showMistakes(view, seat);
    document.getElementById("result-keep")?.toggleAttribute("hidden", seat === null);
    this.showRematch(view, match, seat, free);
    this.root.hidden = this.closed;
    this.again.hidden = !this.closed;
    const key = String(view.match);
    if (key !== this.shown) {
      this.shown = key;
      write(byId("result-news"), "");
      byId("result-title").focus({ preventScroll: true });
    }
  }

  /** @param {View} view @param {MatchResult} match @param {0|1|null} seat */
  showCredits(view, match, seat) {
    const settled = match.paid_cents && view.terms.stake_cents ? { ...match, paid_cents: match.paid_cents } : null;
    fillFacts(byId("result-facts"), settled ? [...creditRows(view, seat, settled), ...balanceRow(seat)] : []);
    const cap = settled ? capText(view, settled) : "";
    write(one("span", byId("result-cap")), cap);
    byId("result-cap").hidden = !cap;
    write(byId("result-note"), settled ? rakeNote(view, seat, settled) : "");
    showShares(settled ? sharesOf(view, seat, settled) : []);
  }

  /** @param {View} view @param {MatchResult} match @param {0|1|null} seat @param {boolean} free */
  showRematch(view, match, seat, free) {
    const again = button("rematch");
    const played = match.ending !== "stood_up" && !inTournament();
    again.hidden = seat === null || !played;
    if (seat === null || !played) {
      write(byId("rematch-text"), "");
      return;
    }
    const missing_cents = view.terms.stake_cents - (balance_cents() ?? view.terms.stake_cents);
    const gone = view.phase === "closed";
    const allowed = view.actions[seat].includes("rematch") && missing_cents <= 0;
    again.disabled = !free || gone || !allowed;
    const mine = view.rematch[seat];
    const theirs = view.rematch[seatAt("op", seat)];
    const name = nameOf(view, "op", seat);
    write(one("[data-label]", again), theirs && !mine ? say("Accept the rematch") : view.set_up ? say("Again from here") : say("Rematch"));
    write(one("[data-price]", again), view.terms.stake_cents ? money(view.terms.stake_cents) : say("free"));
    const states = [
      gone && say("The table is closed; no rematch here."),
      mine && say("Waiting for {name} to accept", { name }),
      missing_cents > 0 && say("You need {missing} more for a rematch.", { missing: money(missing_cents) }),
      theirs && say("{name} wants a rematch", { name }),
    ];
    write(byId("rematch-text"), states.find(Boolean) || "");
  }
}

/** @param {View} view @param {MatchResult} match @param {0|1|null} seat @returns {string} */
function resultTitle(view, match, seat) {
  if (view.banks_cents && !NOTHING_COUNTS.has(match.ending)) return say("The session is over");
  if (match.ending === "stood_up" && inTournament()) return say("Not played");
  if (match.winner === null) return UNDECIDED.has(match.ending) ? say("No result") : say("A tie");
  const side = sideOf(seat, match.winner);
  if (view.terms.contest === "game") return gameTitle(view, seat, side, match.points || view.result?.points || 0);
  const near = nearSeat(seat);
  const values = { me: scoreOf(view)[near], op: scoreOf(view)[1 - near] };
  if (seat === null) return say("{name} wins the match {me} : {op}", { ...values, name: nameOf(view, side ?? "me", seat) });
  if (match.ending in FORFEITS) return side === "me" ? say("You win the match") : say("You lose the match");
  return side === "me" ? say("You win the match {me} : {op}", values) : say("You lose the match {me} : {op}", values);
}

/** @param {View} view @param {MatchResult} match @param {0|1|null} seat @returns {string} */
function resultText(view, match, seat) {
  if (view.banks_cents && match.ending in SESSION_ENDS) return SESSION_ENDS[match.ending];
  if (match.winner === null && !UNDECIDED.has(match.ending)) return say("The match is a tie. Ratings do not change.");
  if (match.ending === "stood_up" && inTournament()) return say("A player was not there for the first roll and loses this match of the tournament.");
  if (match.winner === null) {
    const { staked, free } = match.ending === "stood_up" ? NOT_BEGUN : VOIDED;
    return view.terms.stake_cents ? staked : free;
  }
  if (match.ending === "left") {
    const loser = sideOf(seat, 1 - match.winner);
    return loser === "me" && seat !== null
      ? say("You left and forfeit the match.")
      : say("{name} left and forfeits the match.", { name: nameOf(view, loser ?? "op", seat) });
  }
  if (match.ending in FORFEITS) return FORFEITS[match.ending];
  return view.result?.ending ? endingText(view, view.result) : "";
}

/** @typedef {MatchResult & {paid_cents: [number, number]}} Settled */

/** The sum line by line, for a player; for watchers, what each was paid. @param {View} view @param {0|1|null} seat @param {Settled} match @returns {Row[]} */
function creditRows(view, seat, match) {
  const stake = view.terms.stake_cents;
  const rake = match.rake_cents ?? 0;
  const rakeRow = /** @type {Row} */ ([say("Rake"), money(-rake), ""]);
  if (seat === null) {
    return [...[0, 1].map((at) => /** @type {Row} */ ([view.players[at]?.name ?? "", money(match.paid_cents[at]), ""])), rakeRow];
  }
  const paid = match.paid_cents[seat];
  const net = paid - stake;
  const name = nameOf(view, "op", seat);
  /** @type {Row} */
  const sum = [net < 0 ? say("You lose") : say("You gain"), signedMoney(net), `big ${net < 0 ? "down" : "up"}`];
  if (NOTHING_COUNTS.has(match.ending)) return [[say("Your stake, back in full"), money(paid), ""], sum];
  if (match.winner === null || view.banks_cents) {
    return [
      [view.banks_cents ? say("Both banks at the start") : say("Pot: your stake and that of {name}", { name }), money(2 * stake), ""],
      ...(rake ? [rakeRow] : []),
      [say("Paid to {name}", { name }), money(-match.paid_cents[seatAt("op", seat)]), ""],
      [say("Paid to you"), money(paid), "line"],
      [say("Your stake, paid at the start"), money(-stake), ""],
      sum,
    ];
  }
  const lost = stake - match.paid_cents[1 - match.winner];
  if (match.winner !== seat) {
    return [[say("Your stake in escrow"), money(stake), ""], [say("Lost to {name}", { name }), money(-lost), ""], [say("Back to you"), money(paid), ""], sum];
  }
  return [
    [say("Your stake in escrow"), money(stake), ""],
    [say("Won from {name}", { name }), money(lost), ""],
    rakeRow,
    [say("Paid to you"), money(paid), ""],
    sum,
  ];
}

/** The wallet after the settlement, as the head of the page shows it. @param {0|1|null} seat @returns {Row[]} */
function balanceRow(seat) {
  const shown = document.getElementById("balance")?.textContent?.trim();
  return seat !== null && shown ? [[say("New balance"), shown, ""]] : [];
}

/** @returns {number|null} */
function balance_cents() {
  const shown = document.getElementById("balance")?.textContent;
  return shown ? Number(shown.replace(/\D/g, "")) : null;
}

/** Why points times the price of a point is more than what was lost. @param {View} view @param {Settled} match @returns {string} */
function capText(view, match) {
  const { rate_cents, stake_cents } = view.terms;
  if (!rate_cents || view.banks_cents || match.winner === null || match.ending in FORFEITS) return "";
  const lost = stake_cents - match.paid_cents[1 - match.winner];
  const points = match.points || view.result?.points || 0;
  if (points * rate_cents <= lost) return "";
  const values = { rate: money(rate_cents), sum: money(points * rate_cents), limit: money(lost) };
  return sayCount("{count} point × {rate} = {sum}, capped at the limit of {limit}.", "{count} points × {rate} = {sum}, capped at the limit of {limit}.", { count: points, ...values });
}

/** The loser pays what they lost and no more. @param {View} view @param {0|1|null} seat @param {Settled} match @returns {string} */
function rakeNote(view, seat, match) {
  if (seat === null || match.winner === null || match.winner === seat || view.banks_cents || !match.rake_cents) return "";
  const lost = view.terms.stake_cents - match.paid_cents[seat];
  const received = money(lost - match.rake_cents);
  return say("The rake comes out of the win of {name}, who receives {received} of your {lost}. You pay nothing on top.", { name: nameOf(view, "op", seat), received, lost: money(lost) });
}

/** The parts of the pot: text, cents and look of each. @param {View} view @param {0|1|null} seat @param {Settled} match @returns {[string, number, string][]} */
function sharesOf(view, seat, match) {
  const me = seatAt("me", seat);
  const op = seatAt("op", seat);
  const to = (/** @type {0|1} */ at, /** @type {"me"|"op"} */ side) =>
    seat === at ? say("to you {amount}", { amount: money(match.paid_cents[at]) })
      : say("to {name} {amount}", { name: nameOf(view, side, seat), amount: money(match.paid_cents[at]) });
  /** @type {[string, number, string][]} */
  const shares = [
    [to(me, "me"), match.paid_cents[me], "mine"],
    [to(op, "op"), match.paid_cents[op], "theirs"],
    [say("rake {amount}", { amount: money(match.rake_cents ?? 0) }), match.rake_cents ?? 0, "house"],
  ];
  return shares.filter(([, cents]) => cents > 0);
}

/** @param {[string, number, string][]} shares */
function showShares(shares) {
  const bar = byId("result-bar");
  bar.hidden = shares.length < 2;
  const text = shares.map(([words]) => words).join(" · ");
  if (bar.dataset.shares === text) return;
  bar.dataset.shares = text;
  const parts = shares.map(([, cents, look]) => {
    const part = make("i", look);
    part.style.flexGrow = String(cents);
    return part;
  });
  bar.replaceChildren(make("div", "parts", ...parts), ...shares.map(([words, , look]) => make("span", look, words)));
}

/** The change of the rating, or why there is none. @param {View} view @param {MatchResult} match @param {0|1|null} seat */
function showRatings(view, match, seat) {
  const rated = view.rated && match.elo_before && match.elo_after && !view.terms.practice;
  byId("result-rating").hidden = !rated;
  if (rated) {
    const [me, op] = [seatAt("me", seat), seatAt("op", seat)].map((at) => changeOf(match, at));
    write(byId("rating-label"), seat === null ? say("Rating of {name}", { name: nameOf(view, "me", seat) }) : say("Rating"));
    write(byId("rating-after"), rating(me.after));
    write(byId("rating-change"), signed(me.after - me.before));
    byId("rating-change").className = me.after < me.before ? "down" : "up";
    write(byId("rating-was"), say("was {before}", { before: rating(me.before) }));
    const name = nameOf(view, "op", seat);
    write(byId("rating-other"), say("{name}: {before} → {after}", { name, before: rating(op.before), after: rating(op.after) }));
  }
  const counts = !NOTHING_COUNTS.has(match.ending);
  write(byId("result-unrated"), rated || !counts ? "" : unratedReason(view, seat));
}

/** Only a guest has a seat and is offered to keep the game. @param {View} view @param {0|1|null} seat @returns {string} */
function unratedReason(view, seat) {
  if (view.terms.practice) return say("Practice: not rated.");
  if (seat !== null && document.getElementById("result-keep")) return say("Not rated: you played as a guest.");
  return say("Not rated: a guest took part, both have logged in from one browser or network, or the same two players have already had all their rated matches within 24 hours.");
}

/** A seat's whole ratings before and after. @param {MatchResult} match @param {0|1} at @returns {{before: number, after: number}} */
export function changeOf(match, at) {
  const whole = (/** @type {[string, string]|null} */ elos) => Math.round(Number(elos?.[at]));
  return { before: whole(match.elo_before), after: whole(match.elo_after) };
}

/** Replay, dice and files of the match. @param {View} view */
function showLinks(view) {
  byId("result-links").hidden = !view.match_id;
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (byId("result-links").querySelectorAll("a[data-path]"))) {
    link.href = `/match/${view.match_id}/${link.dataset.path}`;
  }
  const analysis = byId("result-analysis");
  const variants = (analysis.dataset.variants ?? "").split(" ");
  const counts = !NOTHING_COUNTS.has(view.result?.match?.ending ?? "");
  analysis.hidden = !counts || !variants.includes(view.variant) || isAlone(view);
  const dice = /** @type {HTMLAnchorElement} */ (one("a", byId("result-dice")));
  byId("result-dice").hidden = !view.fair;
  dice.href = `${dice.pathname}?record=${encodeURIComponent(`/match/${view.match_id}/dice.json`)}`;
}
