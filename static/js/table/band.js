// @ts-check
/** The band across the middle of the board: a pending decision, with the meaning of each answer. */

import { byId, one, write } from "./dom.js";
import { nameOf } from "./players.js";
import { noBeaver } from "./reasons.js";
import { endsMatch, listFor, resigned, sizeFor, takenOf, worthOf } from "./stakes.js";
import { say, sayCount, word } from "../say.js";
import { levelName } from "./text.js";
import { seatAt, sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../types/frames.js").ResultView} Result */
/** @typedef {{title: string, text: string, urgent: boolean}} Words */

export class Band {
  constructor() {
    this.root = byId("band");
    this.title = byId("band-title");
    this.text = byId("band-text");
    this.shown = "";
  }

  /** @param {View} view @param {0|1|null} seat */
  show(view, seat) {
    const words = wordsFor(view, seat);
    this.root.hidden = words === null;
    byId("play").classList.toggle("has-band", words !== null);
    if (!words) {
      this.shown = "";
      return;
    }
    write(this.title, words.title);
    write(this.text, words.text);
    this.root.setAttribute("role", words.urgent ? "alertdialog" : "group");
    const key = words.title + words.text;
    if (key !== this.shown && words.urgent) this.title.focus({ preventScroll: true });
    this.shown = key;
  }

  /** The seconds until the next game, on its button. @param {View} view @param {number} now_ms */
  tick(view, now_ms) {
    const place = one("[data-countdown]");
    const at = view.next_game_ms ?? null;
    const seconds = at === null ? 0 : Math.max(0, Math.ceil((at - now_ms) / 1000));
    write(place, at === null ? "" : String(seconds));
  }
}

/** @param {View} view @param {0|1|null} seat @returns {Words|null} */
function wordsFor(view, seat) {
  const mine = seat !== null && view.decider === seat;
  if (view.phase === "double_offered" && mine) return doubleOffered(view, seat);
  if (view.phase === "resignation_offered" && mine) return resignationOffered(view, seat);
  if (view.phase === "between_games" && view.result) return gameOver(view, view.result, seat);
  return null;
}

/** @param {View} view @param {0|1|null} seat @returns {Words} */
function doubleOffered(view, seat) {
  const name = nameOf(view, "op", seat);
  const value = view.cube.offered_value ?? 2 * view.cube.value;
  const title = offerText(name, value, value / view.cube.value);
  const me = seatAt("me", seat);
  const op = seatAt("op", seat);
  const win = listFor(view, takenOf(view, op), me);
  const loss = listFor(view, takenOf(view, me), me);
  const take = win === loss ? say("Take: the game counts {worth}.", { worth: win }) : say("Take: you win {win} or lose {loss}.", { win, loss });
  const dropped = worthOf(view, me, "drop");
  const drop = dropped ? dropText(view, dropped, name, seat) : "";
  const text = [take, drop, noBeaver(view, seat)].filter(Boolean).join(" ");
  return { title, text, urgent: true };
}

/** What a player does who turns the cube. @param {string} name @param {number} value @param {number} times  as high as before @returns {string} */
function offerText(name, value, times) {
  if (times === 4) return say("{name} beavers to {value}", { name, value });
  return times === 8 ? say("{name} raccoons to {value}", { name, value }) : say("{name} doubles to {value}", { name, value });
}

/** @param {View} view @param {import("./stakes.js").Worth} dropped @param {string} name @param {0|1|null} seat @returns {string} */
function dropText(view, dropped, name, seat) {
  if (view.terms.rate_cents) return say("Drop: you lose {amount}.", { amount: sizeFor(view, dropped, seatAt("me", seat)) });
  return say("Drop: {name} wins {worth}.", { name, worth: sizeFor(view, dropped, seatAt("op", seat)) });
}

/** @param {View} view @param {0|1|null} seat @returns {Words} */
function resignationOffered(view, seat) {
  const name = nameOf(view, "op", seat);
  const level = view.resignation?.level ?? 1;
  const offered = resigned(view, seatAt("op", seat), level);
  const worth = offered ? sizeFor(view, offered, seatAt("me", seat)) : "";
  const wins = offered && endsMatch(view, offered) ? matchWords(view) : "";
  const text = [say("Accept: you win {worth}.", { worth }), wins, say("Play on: the game continues.")].filter(Boolean).join(" ");
  return { title: say("{name} resigns: {level}", { name, level: levelName(view.variant, level) }), text, urgent: true };
}

/** A match to a number of points is won by its last game; the last of three may still tie or lose it. @param {View} view @returns {string} */
const matchWords = (view) => (view.terms.contest === "points" ? say("That wins you the match.") : say("That ends the match."));

/** @param {View} view @param {Result} result @param {0|1|null} seat @returns {Words} */
function gameOver(view, result, seat) {
  const { winner, points = 0 } = result;
  const side = sideOf(seat, winner);
  const title = gameTitle(view, seat, side, points);
  const me = view.score[seatAt("me", seat)];
  const op = view.score[seatAt("op", seat)];
  const waiting = seat !== null && view.ready[seat] ? ` ${say("Waiting for your opponent.")}` : "";
  return { title, text: `${endingText(view, result)} ${say("The score is {me} : {op}.", { me, op })}${waiting}`, urgent: false };
}

/** The winner of a game, in words. @param {View} view @param {0|1|null} seat @param {"me"|"op"|null} side @param {number} points @returns {string} */
export function gameTitle(view, seat, side, points) {
  if (side === null) return say("Nobody wins this game");
  if (side === "me" && seat !== null) return sayCount("You win {count} point", "You win {count} points", { count: points });
  return sayCount("{name} wins {count} point", "{name} wins {count} points", { name: nameOf(view, side, seat), count: points });
}

/** How a game ended, in words. @param {View} view @param {Result} result @returns {string} */
export function endingText(view, result) {
  const counts = result.ending === "borne_off" || result.ending === "resigned";
  const kind = counts && result.level ? levelName(view.variant, result.level) : "";
  const { cube: value = 1 } = result;
  const cube = value > 1 ? say("cube on {value}", { value }) : "";
  return `${[word("endings", result.ending ?? ""), kind, cube].filter(Boolean).join(", ")}.`;
}
