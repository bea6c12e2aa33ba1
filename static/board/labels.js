// @ts-check
/** Labels of the places of the board for screen readers. */

/** @typedef {import("./position.js").Position} Position */
/** @typedef {(key: string, values?: Record<string, string|number>) => string} Say */

/**
 * @param {Say} say
 * @param {Position} position
 * @param {number} place
 * @param {{movable: boolean, target: boolean, hits: boolean, selected: boolean}} marks
 * @returns {string}
 */
export function placeLabel(say, position, place, marks) {
  const parts = [placeContent(say, position, place)];
  if (marks.movable) parts.push(say("can_move"));
  if (marks.target) parts.push(say(marks.hits ? "target_hits" : "target"));
  if (marks.selected) parts.push(say("selected"));
  return parts.join(", ");
}

/** @param {Say} say @param {Position} position @param {number} place @returns {string} */
function placeContent(say, position, place) {
  const mine = position.me[place];
  const theirs = position.op[place];
  if (place === 0) return say("off_label", { mine, theirs });
  if (place === 25) {
    const waiting = position.hand.me + position.hand.op;
    const bar = say("bar_label", { mine, theirs });
    return waiting ? `${bar} ${say("hand_label", { mine: position.hand.me, theirs: position.hand.op })}` : bar;
  }
  const counts = [];
  if (mine) counts.push(say("own_checkers", { count: mine }));
  if (theirs) counts.push(say("their_checkers", { count: theirs }));
  if (position.pinned.has(place)) counts.push(say(position.pinned.get(place) === "me" ? "pinned_own" : "pinned_theirs"));
  return say("point_label", { point: place, content: counts.join(", ") || say("empty_point") });
}

/** The whole position in one sentence for each side. @param {Say} say @param {Position} position @returns {string} */
export function describe(say, position) {
  const list = (/** @type {number[]} */ places) =>
    places
      .map((count, place) => ({ count, place }))
      .filter(({ count, place }) => count > 0 && place > 0 && place < 25)
      .reverse()
      .map(({ count, place }) => say("count_on_point", { count, point: place }))
      .join(", ");
  return [
    say("describe_own", { points: list(position.me), bar: position.me[25], off: position.me[0] }),
    say("describe_theirs", { points: list(position.op), bar: position.op[25], off: position.op[0] }),
  ].join(" ");
}
