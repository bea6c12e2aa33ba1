// @ts-check
/**
 * The table in words: the same state and the same draft as the board, as headings, lists and one line to type in.
 *
 * For people who use a screen reader, or type faster than they tap. Plays are matched against the graph.
 */

import { nameOf } from "../../board/labels.js";
import { parsePlay, walkOf } from "../../board/typed.js";
import { byId, button, make, write } from "./dom.js";
import { announce } from "./notices.js";
import { say } from "../say.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../../board/board.js").BgBoard} BgBoard */
/** @typedef {Record<string, () => void>} Commands  name → what it does; the words are in `COMMANDS` */

/** The words that each command can be typed with. @type {Record<string, string>} */
const COMMANDS = {
  roll: say("roll r"),
  double: say("double"),
  take: say("take"),
  drop: say("drop"),
  undo: say("undo u"),
  done: say("done"),
  pips: say("pips p"),
  last: say("last l"),
  clocks: say("clocks c"),
  board: say("board b"),
};

const words = (/** @type {string} */ text) => text.toLowerCase().split(" ");

export class TextView {
  /** @param {BgBoard} board @param {Commands} commands */
  constructor(board, commands) {
    this.board = board;
    this.commands = commands;
    this.root = byId("text-view");
    this.line = /** @type {HTMLInputElement} */ (byId("typed"));
    /** @type {HTMLFormElement} */ (byId("typed-form")).addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(this.line.value.trim());
    });
    button("text_view").addEventListener("click", () => this.open(Boolean(this.root.hidden)));
  }

  /** Show words instead of the board, or the board again. @param {boolean} opened */
  open(opened) {
    this.root.hidden = !opened;
    byId("room").classList.toggle("in-words", opened);
    button("text_view").setAttribute("aria-pressed", String(opened));
    if (opened) this.line.focus();
    else this.board.fit();
    this.draw();
  }

  /** @param {string} summary  whose turn it is and what has been rolled */
  show(summary) {
    this.summary = summary;
    this.draw();
  }

  draw() {
    const { board } = this;
    if (this.root.hidden || !board.state) return;
    write(byId("words-now"), this.summary ?? "");
    const position = board.position();
    for (const side of /** @type {const} */ (["me", "op"])) this.list(byId(`words-${side}`), position, side);
    const draft = board.state.locked ? null : board.draft;
    const chosen = draft?.steps.map(([from, to]) => `${nameOf(from)}/${nameOf(to)}`).join(" ") ?? "";
    write(byId("words-draft"), chosen ? say("So far: {text}", { text: chosen }) : "");
    const next = (draft?.edges ?? []).map((edge) => {
      const made = /** @type {HTMLButtonElement} */ (make("button", "button button-small", `${nameOf(edge[0])}/${nameOf(edge[1])}`));
      made.type = "button";
      made.setAttribute("aria-label", say("{from} to {to}", { from: nameOf(edge[0]), to: nameOf(edge[1]) }));
      made.addEventListener("click", () => {
        board.play([edge]);
        this.line.focus();
      });
      return make("li", "", made);
    });
    byId("words-next").replaceChildren(...next);
    byId("words-next-title").hidden = !next.length;
  }

  /** @param {HTMLElement} list @param {import("../../board/position.js").Position} position @param {"me"|"op"} side */
  list(list, position, side) {
    const rows = [];
    for (let place = 24; place > 0; place -= 1) {
      const count = position[side][place];
      if (count) rows.push(say("{count} on point {point}", { count, point: place }));
    }
    if (position[side][25]) rows.push(say("{count} on the bar", { count: position[side][25] }));
    if (position.hand[side]) rows.push(say("{count} not entered yet", { count: position.hand[side] }));
    rows.push(say("{count} borne off", { count: position[side][0] }));
    list.replaceChildren(...rows.map((row) => make("li", "", row)));
  }

  /** @param {string} text */
  enter(text) {
    const { board } = this;
    if (!text) {
      if (board.draft?.complete) board.confirm();
      return;
    }
    const command = Object.keys(this.commands).find((key) => words(COMMANDS[key]).includes(text.toLowerCase()));
    if (command) {
      this.line.value = "";
      this.tell("");
      this.commands[command]();
      return;
    }
    const hops = parsePlay(text, { bar: ["bar", ...words(say("bar"))], off: ["off", ...words(say("off"))] });
    this.tell(hops ? this.play(hops) : say("Not understood. Type a play such as 24/18 13/11, or a command."));
  }

  /** Put typed moves on the board: on top of those that lie there, or as the whole play. @param {import("../../board/typed.js").Hop[]} hops @returns {string} */
  play(hops) {
    const { board } = this;
    const draft = board.draft;
    if (!draft || !board.canAct()) return say("There is nothing to play now.");
    const further = walkOf(draft.graph, draft.node, hops);
    const walk = further ?? walkOf(draft.graph, 0, hops);
    if (!walk) return say("That play is not legal. Nothing has changed.");
    if (!further) draft.reset();
    board.play(walk);
    this.line.value = "";
    return draft.complete ? say("Play complete. Press Enter to confirm.") : say("still to play: {dice}", { dice: draft.owed.join(" ") });
  }

  /** @param {string} text */
  tell(text) {
    write(byId("typed-answer"), text);
    if (text) announce(text);
  }
}
