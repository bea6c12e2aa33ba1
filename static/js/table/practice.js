// @ts-check
/** Practice: taking back, and the hint: the house bot's choice as a list beside the board and as arrows on it. */

import { arrowsOf } from "../../board/arrows.js";
import { byId, button, make, write } from "./dom.js";
import { announce } from "./notices.js";
import { filled, say, word } from "../say.js";
import { isAlone } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../types/frames.js").PlayAdvice} PlayAdvice */

const ADVISED = new Set(["roll", "play", "name_double", "double_offered"]);

/** Points lost a game; from these on a play is as good as the best, an error, a blunder. */
const EQUAL_BELOW = 0.001;
const ERROR_FROM = 0.04;
const BLUNDER_FROM = 0.08;

/** What the house bot would do. @type {Record<string, string>} */
const HINTS = {
  play: say("The house bot would play"),
  roll: say("The house bot would roll, not double"),
  double: say("The house bot would double"),
  take: say("The house bot would take"),
  drop: say("The house bot would drop"),
  beaver: say("The house bot would beaver"),
  raccoon: say("The house bot would raccoon"),
  name_double: say("The house bot would name the double {number}–{number}"),
};

/** The sizes of errors. @type {Record<string, string>} */
const ERRORS = {
  best: say("best"),
  small_error: say("small error"),
  error: say("error"),
  blunder: say("blunder"),
};

export class Practice {
  /**
   * @param {object} does
   * @param {() => void} does.ask
   * @param {() => void} does.takeBack
   * @param {(arrows: import("../../board/arrows.js").Arrow[]) => void} does.draw
   * @param {(open: boolean) => void} does.opened  the list was opened or closed
   */
  constructor({ ask, takeBack, draw, opened }) {
    this.card = byId("hint");
    this.draw = draw;
    this.opened = opened;
    /** @type {PlayAdvice[]} */
    this.plays = [];
    /** The number of the event the hint belongs to. */
    this.about = 0;
    button("hint").addEventListener("click", ask);
    button("take_back").addEventListener("click", takeBack);
    button("close_hint").addEventListener("click", () => this.close());
  }

  /** @param {View} view @param {0|1|null} seat @param {{free: boolean, seq: number, drafting: boolean}} now */
  show(view, seat, { free, seq, drafting }) {
    const mine = seat !== null && view.decider === seat;
    const hint = button("hint");
    hint.hidden = !(mine && view.terms.practice && ADVISED.has(view.phase)) || drafting;
    hint.disabled = !free;
    const back = button("take_back");
    const mayTakeBack = isAlone(view) ? view.actions.flat() : view.actions[seat ?? 0];
    back.hidden = !mine || !view.terms.practice || drafting;
    back.disabled = !free || !mayTakeBack.includes("take_back");
    if (seq !== this.about) this.close();
  }

  /** @param {import("../types/frames.js").Advice} frame */
  told(frame) {
    this.about = frame.seq;
    const title = filled(HINTS[frame.command], { number: frame.number ?? 0 });
    const judged = frame.judged_by !== "eye";
    write(byId("hint-title"), title);
    byId("hint-plays").replaceChildren(...frame.plays.map((play, i) => this.row(play, i, judged)));
    byId("hint-plays").hidden = !frame.plays.length;
    const byEngine = frame.judged_by === "engine" && !frame.plays.length;
    write(byId("hint-note"), word("judged_by", byEngine ? "engine_alone" : frame.judged_by));
    this.plays = frame.plays;
    this.card.hidden = false;
    this.point(null);
    this.opened(true);
    announce(frame.plays.length ? `${title}: ${frame.plays[0].text}` : title);
  }

  /** One play of a hint, its rank, and what it gives away. Its arrows are shown while it has the pointer or the focus. @param {PlayAdvice} play @param {number} rank @param {boolean} judged @returns {HTMLElement} */
  row({ text, loss }, rank, judged) {
    const word = make("span", "hint-word", ERRORS[errorOf(rank, loss)]);
    const size = make("span", "hint-loss num", loss ? `−${decimals(loss)}` : decimals(0));
    const badge = make("i", "hint-badge", String(rank + 1));
    badge.setAttribute("aria-hidden", "true");
    const row = make("li", errorOf(rank, loss), badge, make("b", "", text), ...(judged ? [word, size] : []));
    row.tabIndex = 0;
    for (const begins of ["pointerenter", "focus"]) row.addEventListener(begins, () => this.point(rank));
    for (const ends of ["pointerleave", "blur"]) row.addEventListener(ends, () => this.point(null));
    return row;
  }

  /** Draw the best play, with the one pointed at or else the second. @param {number|null} rank */
  point(rank) {
    const second = rank || 1;
    const shown = [0, second].filter((at) => rank !== 0 || at === 0);
    this.draw(
      shown.flatMap((at) => {
        const play = this.plays[at];
        return play ? arrowsOf(play.moves, { kind: at ? "second" : "best", badge: String(at + 1) }) : [];
      }),
    );
  }

  close() {
    if (this.card.hidden) return;
    this.card.hidden = true;
    this.plays = [];
    this.draw([]);
    this.opened(false);
  }
}

/** What a play is called that gives away `loss` points a game. @param {number} rank @param {number} loss @returns {"best"|"small_error"|"error"|"blunder"} */
function errorOf(rank, loss) {
  if (rank === 0 || loss < EQUAL_BELOW) return "best";
  if (loss < ERROR_FROM) return "small_error";
  return loss < BLUNDER_FROM ? "error" : "blunder";
}

/** @param {number} points @returns {string} */
const decimals = (points) =>
  points.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
