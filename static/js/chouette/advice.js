// @ts-check
/** What the team advises for this roll: plays, drawn on the board when one is pointed at, with who agrees. */

import { arrowsOf } from "../../board/arrows.js";
import { byId, make, write } from "../table/dom.js";
import { say, sayCount } from "../say.js";
import { advisersOf, called, namesOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Advice} Entry */

export class AdviceList {
  /** @param {{draw: (arrows: import("../../board/arrows.js").Arrow[]) => void, agree: (player: number) => void}} world */
  constructor(world) {
    this.world = world;
    this.root = byId("advice");
    this.list = byId("advice-list");
    this.shown = "";
    /** The advice whose arrows lie on the board. @type {number|null} */
    this.pointed = null;
  }

  /** @param {View} view @param {boolean} free */
  show(view, free) {
    this.root.hidden = view.seat !== "team";
    write(byId("advice-note"), noteFor(view));
    const key = JSON.stringify([view.game, view.turn, view.talk, view.actions.advise, free]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = this.list.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : null;
    this.list.replaceChildren(...view.talk.map((entry) => this.row(view, entry, free)));
    if (focused) /** @type {HTMLElement|null} */ (this.list.querySelector(`[data-key="${focused}"]`))?.focus();
    const still = view.talk.find(({ player }) => player === this.pointed);
    if (this.pointed !== null && !this.list.contains(document.activeElement)) this.point(still ?? null);
  }

  /** @param {View} view @param {Entry} entry @param {boolean} free @returns {HTMLElement} */
  row(view, entry, free) {
    const play = action(`play-${entry.player}`, "advice-play", entry.text);
    play.setAttribute("aria-label", say("Show {text} on the board", { text: entry.text }));
    play.addEventListener("click", () => this.point(entry));
    play.addEventListener("focus", () => this.point(entry));
    const name = make("b", "", called(view, entry.player));
    const row = make("li", "", make("span", "", name, " ", play), make("small", "muted", agreeText(view, entry)));
    row.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && this.point(entry));
    row.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.point(null));
    if (view.actions.advise && view.me !== null && entry.player !== view.me && !entry.agree.includes(view.me)) {
      const agree = action(`agree-${entry.player}`, "button button-small", say("Agree"));
      agree.setAttribute("aria-label", say("Agree with {name}: {text}", { name: called(view, entry.player), text: entry.text }));
      /** @type {HTMLButtonElement} */ (agree).disabled = !free;
      agree.addEventListener("click", () => this.world.agree(entry.player));
      row.append(agree);
    }
    return row;
  }

  /** Draw the arrows of a play, or none. @param {Entry|null} entry */
  point(entry) {
    this.pointed = entry?.player ?? null;
    this.world.draw(entry ? arrowsOf(entry.moves) : []);
  }
}

/** @param {string} key @param {string} look @param {string} text @returns {HTMLElement} */
function action(key, look, text) {
  const made = make("button", look, text);
  made.setAttribute("type", "button");
  made.dataset.key = key;
  return made;
}

/** @param {View} view @param {Entry} entry @returns {string} */
const agreeText = (view, { agree }) => (agree.length ? (agree.length === 1 && agree[0] === view.me ? say("you agree") : sayCount("{names} agrees", "{names} agree", { count: agree.length, names: namesOf(view, agree) })) : "");

/** Whom the terms allow advice. @type {Record<string, string>} */
const ADVISERS = {
  never: say("Nobody advises at this table."),
  own_cube: say("Team members may advise once their own cube was turned."),
  one_cube: say("Team members may advise once the cube was turned."),
  always: say("Team members may always advise."),
};

/** @param {View} view @returns {string} */
function noteFor(view) {
  if (view.actions.advise && view.graph) return say("Make the play on the board, then press Advise.");
  return ADVISERS[advisersOf(view)];
}
