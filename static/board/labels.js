// @ts-check
/** Labels of the places of the board for screen readers. */

import { say, sayCount } from "../js/say.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {{movable: boolean, target: boolean, hits: boolean, selected: boolean}} Marks */
/** @typedef {(count: number) => string} Counted */
/** @typedef {{board: string, mine: Counted, theirs: Counted}} Sides  how the two sides are called */

/** The name of a place: 25 is the bar, 0 off. @param {number} place @returns {string} */
export const nameOf = (place) => (place === 25 ? say("bar") : place === 0 ? say("off") : String(place));

class Labels {
  /** @param {Sides} sides */
  constructor(sides) {
    this.sides = sides;
  }

  /** The whole board. @returns {string} */
  board() {
    return this.sides.board;
  }

  /** A place until there is a position to describe. @param {number} place @returns {string} */
  name(place) {
    return nameOf(place);
  }

  /** @param {Position} position @param {number} place @param {Marks} marks @returns {string} */
  place(position, place, marks) {
    const parts = [this.content(position, place)];
    if (marks.movable) parts.push(say("can move"));
    if (marks.target) parts.push(marks.hits ? say("can be hit") : say("can be reached"));
    if (marks.selected) parts.push(say("selected"));
    return parts.join(", ");
  }

  /** @param {Position} position @param {number} place @returns {string} */
  content(position, place) {
    const mine = position.me[place];
    const theirs = position.op[place];
    if (place === 0) return say("Borne off: {mine} of yours, {theirs} opposing", { mine, theirs });
    if (place === 25) {
      const { hand } = position;
      const bar = say("Bar: {mine} of yours, {theirs} opposing", { mine, theirs });
      return hand.me + hand.op ? `${bar} ${say("Not entered yet: {mine} of yours, {theirs} opposing", { mine: hand.me, theirs: hand.op })}` : bar;
    }
    const counts = [];
    if (mine) counts.push(this.sides.mine(mine));
    if (theirs) counts.push(this.sides.theirs(theirs));
    if (position.pinned.has(place)) counts.push(position.pinned.get(place) === "me" ? say("yours is pinned") : say("the opposing one is pinned"));
    return say("Point {point}: {content}", { point: place, content: counts.join(", ") || say("empty") });
  }

  /** The whole position in one sentence for each side. @param {Position} position @returns {string} */
  describe(position) {
    const list = (/** @type {number[]} */ places) =>
      places
        .map((count, place) => ({ count, place }))
        .filter(({ count, place }) => count > 0 && place > 0 && place < 25)
        .reverse()
        .map(({ count, place }) => say("{count} on {point}", { count, point: place }))
        .join(", ");
    return [
      say("You: {points}; bar {bar}; off {off}.", { points: list(position.me), bar: position.me[25], off: position.me[0] }),
      say("Opponent: {points}; bar {bar}; off {off}.", { points: list(position.op), bar: position.op[25], off: position.op[0] }),
    ].join(" ");
  }
}

/** For a player, whose checkers are the light ones. */
export const OWN = new Labels({
  board: say("Backgammon board. You play the light checkers."),
  mine: (count) => sayCount("one checker of yours", "{count} checkers of yours", { count }),
  theirs: (count) => sayCount("one opposing checker", "{count} opposing checkers", { count }),
});

/** For those who look at the play of others. */
export const COLOURS = new Labels({
  board: say("Backgammon board"),
  mine: (count) => sayCount("one light checker", "{count} light checkers", { count }),
  theirs: (count) => sayCount("one dark checker", "{count} dark checkers", { count }),
});
