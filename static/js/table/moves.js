// @ts-check
/** The list of moves, numbered as in match files: a column for each seat, one table per game of the match. */

import { gameTitle } from "./band.js";
import { byId, make } from "./dom.js";
import { nameOf } from "./players.js";
import { say } from "../say.js";
import { sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./session.js").TableEvent} TableEvent */

/** A reader this close to the end reads the newest entry. */
const AT_END_PX = 24;

export class MoveList {
  constructor() {
    this.root = byId("moves");
    /** How many entries of the log are shown. */
    this.shown = 0;
    /** The last of them. @type {TableEvent|undefined} */
    this.last = undefined;
    this.numbered = 0;
    /** @type {HTMLElement|null} */
    this.body = null;
    /** @type {HTMLElement|null} */
    this.row = null;
    /** Whether the newest entry is kept in view: until the reader scrolls up. */
    this.following = true;
    this.root.addEventListener("scroll", () => {
      this.following = this.root.scrollTop + this.root.clientHeight >= this.root.scrollHeight - AT_END_PX;
    });
    new ResizeObserver(() => this.follow()).observe(this.root);
  }

  follow() {
    if (this.following) this.root.scrollTop = this.root.scrollHeight;
  }

  clear() {
    this.following = true;
    this.shown = 0;
    this.last = undefined;
    this.numbered = 0;
    this.body = null;
    this.row = null;
    this.root.replaceChildren();
  }

  /** @param {View} view @param {0|1|null} seat @param {TableEvent[]} log */
  show(view, seat, log) {
    if (log[this.shown - 1] !== this.last) this.clear(); // something was taken back, or all is new
    const news = log.slice(this.shown);
    if (!news.length) return;
    for (const event of news) this.add(view, seat, event);
    this.shown = log.length;
    this.last = log[log.length - 1];
    this.follow();
  }

  /** @param {View} view @param {0|1|null} seat @param {TableEvent} event */
  add(view, seat, event) {
    if (event.type === "position_set") {
      this.root.append(make("p", "muted", say("Begun from a position")));
    } else if (event.type === "game_started") {
      this.startGame(view, seat, event);
    } else if (event.type === "game_ended") {
      this.root.append(make("p", "game-end", gameTitle(view, seat, sideOf(seat, event.winner), event.points)));
    } else if (event.type === "rolled_off") {
      for (const at of /** @type {const} */ ([0, 1])) this.write(at, [make("span", "roll", String(event.dice[at]))], "");
    } else {
      this.write(event.seat, this.entry(event));
    }
  }

  /** @param {View} view @param {0|1|null} seat @param {TableEvent} event */
  startGame(view, seat, event) {
    const heading = say("Game {game}", { game: event.game }) + (event.crawford ? ` · ${say("Crawford")}` : "");
    const cell = (/** @type {string} */ text) => {
      const made = make("th", "", text);
      made.setAttribute("scope", "col");
      return made;
    };
    const name = (/** @type {0|1} */ at) => (at === seat ? say("You") : nameOf(view, sideOf(seat, at) ?? "me", seat));
    const head = make("thead", "", make("tr", "", cell("#"), cell(name(0)), cell(name(1))));
    this.body = make("tbody");
    this.row = null;
    this.numbered = 0;
    this.root.append(make("table", "move-table", make("caption", "", heading), head, this.body));
  }

  /** @param {TableEvent} event @returns {(Node|string)[]} */
  entry(event) {
    switch (event.type) {
      case "play_made":
        return [make("span", "roll", event.dice.join("")), event.text || say("no legal move")];
      case "double_offered":
        return [say("doubles to {value}", { value: event.value })];
      case "beavered":
        return [say("beavers to {value}", { value: event.value })];
      case "raccooned":
        return [say("raccoon: {value}", { value: event.value })];
      case "double_taken":
        return [say("takes")];
      default:
        return [say("drops")];
    }
  }

  /** Write what a seat has done into a row of this number; a roll-off is no move and has none.
     @param {0|1} at @param {(Node|string)[]} content @param {string} [number] */
  write(at, content, number) {
    if (!this.body) return;
    const column = at + 1;
    const full = !this.row || this.row.children[column].hasChildNodes() || (column === 1 && this.row.children[2].hasChildNodes());
    if (!this.row || full || this.row.dataset.number !== String(number ?? this.numbered)) {
      if (number === undefined) this.numbered += 1;
      this.row = make("tr", "", make("td", "", number ?? String(this.numbered)), make("td"), make("td"));
      this.row.dataset.number = number ?? String(this.numbered);
      this.body.append(this.row);
    }
    this.row.children[column].append(...content);
    for (const row of this.root.querySelectorAll(".current")) row.classList.remove("current");
    this.row.classList.add("current");
  }
}
