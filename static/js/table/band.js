// @ts-check
/** The band across the middle of the board: a pending decision, with the meaning of each answer. */

import { byId, one, write } from "./dom.js";
import { worth } from "./facts.js";
import { nameOf } from "./players.js";
import { say } from "./text.js";
import { endsMatch, seatAt, sideOf } from "./view.js";

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
  const turns = { 2: "doubles_to", 4: "beavers_to", 8: "raccoons_to" };
  const title = turns[/** @type {2|4|8} */ (value / view.cube.value)] ?? "doubles_to";
  const take = say("take_means", { worth: worth(view, value), gammon: worth(view, 2 * value) });
  // giving up costs the value before the last turn; where that would end the match doubling is not allowed
  const drop = say("drop_means", { name, worth: worth(view, value / 2) });
  return { title: say(title, { name, value }), text: `${take} ${drop}`, urgent: true };
}

/** @param {View} view @param {0|1|null} seat @returns {Words} */
function resignationOffered(view, seat) {
  const name = nameOf(view, "op", seat);
  const level = view.resignation?.level ?? 1;
  const points = level * view.cube.value;
  const wins = endsMatch(view, seatAt("me", seat), points) ? say("accept_wins_match") : "";
  const text = [say("accept_means", { worth: worth(view, points) }), wins, say("refuse_means")].filter(Boolean).join(" ");
  return { title: say("resigns", { name, level: say(`level_${level}`) }), text, urgent: true };
}

/** @param {View} view @param {Result} result @param {0|1|null} seat @returns {Words} */
function gameOver(view, result, seat) {
  const { winner, points = 0 } = result;
  const side = sideOf(seat, winner);
  const title = gameTitle(view, seat, side, points);
  const me = view.score[seatAt("me", seat)];
  const op = view.score[seatAt("op", seat)];
  const waiting = seat !== null && view.ready[seat] ? ` ${say("waiting_for_ready")}` : "";
  return { title, text: `${endingText(result)} ${say("score_now", { me, op })}${waiting}`, urgent: false };
}

/** The winner of a game, in words. @param {View} view @param {0|1|null} seat @param {"me"|"op"|null} side @param {number} points @returns {string} */
export function gameTitle(view, seat, side, points) {
  if (side === null) return say("game_drawn");
  if (side === "me" && seat !== null) return say("you_win_game", { count: points });
  return say("game_won", { name: nameOf(view, side, seat), count: points });
}

/** How a game ended, in words. @param {Result} result @returns {string} */
export function endingText(result) {
  const kind = result.ending === "borne_off" || result.ending === "resigned" ? say(`level_${result.level}`) : "";
  const { cube: value = 1 } = result;
  const cube = value > 1 ? say("with_cube", { value }) : "";
  return `${[say(`ending_${result.ending}`), kind, cube].filter(Boolean).join(", ")}.`;
}
