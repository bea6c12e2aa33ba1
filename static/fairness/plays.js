// @ts-check
/** Whether the plays of a record use the dice of their rolls (not whether the rules allow them). */

/** @typedef {import("./reading.js").Play} Play */
/** @typedef {import("./reading.js").Roll} Roll */

const OPENING = 1;

/**
 * The faults of the plays, each with the number of its roll; none in a record without plays.
 * @param {import("./reading.js").Record} record @param {string} startRule @returns {[number, string][]}
 */
export function checkedPlays(record, startRule) {
  /** @type {[number, string][]} */
  const found = [];
  if (!record.plays) return found;
  const rolls = new Map(record.rolls.map((roll) => [roll.n, roll]));
  const played = new Set();
  let last = -1;
  for (const play of record.plays) {
    const roll = rolls.get(play.n);
    if (!roll || play.n < last) {
      found.push([play.n, `A play names roll ${play.n}, which has no place there.`]);
      continue;
    }
    for (const text of wrongWith(play, roll, startRule, played.has(play.n))) found.push([play.n, text]);
    played.add(play.n);
    last = play.n;
  }
  for (const roll of record.rolls.slice(0, -1))
    if (roll.kind !== OPENING && !played.has(roll.n))
      found.push([roll.n, `Roll ${roll.n} has no play, but the game went on.`]);
  return found;
}

/** @param {Play} play @param {Roll} roll @param {string} startRule @param {boolean} follows @returns {string[]} */
function wrongWith(play, roll, startRule, follows) {
  const found = [];
  const shown = play.dice.join("-");
  if (play.seat !== 0 && play.seat !== 1)
    found.push(`Roll ${play.n}: a table has the seats 0 and 1, not ${play.seat}.`);
  if (roll.kind === OPENING && startRule === "roll_off_reroll")
    found.push(`Roll ${play.n} only says who begins, it is not played.`);
  else if (roll.kind === OPENING && roll.dice.length === 2 && play.seat !== Number(roll.dice[1] > roll.dice[0]))
    found.push(`Roll ${play.n}: the other player threw more and had to begin.`);
  if (follows && (play.dice.length !== 2 || play.dice[0] !== play.dice[1]))
    found.push(`Roll ${play.n}: what follows a roll without chance is a double, not ${shown}.`);
  if (!follows && sorted(play.dice) !== sorted(roll.dice))
    found.push(`Roll ${play.n}: the play has the dice ${shown}, which are not those of its roll.`);
  if (!areAmong(play.moves.map((move) => move[2]), singles(play.dice)))
    found.push(`Roll ${play.n}: the moves use more than the dice ${shown}.`);
  return found;
}

/** @param {number[]} dice */
const sorted = (dice) => [...dice].sort((a, b) => a - b).join("-");

/** The dice one by one: a double of two dice counts four times. @param {number[]} dice */
const singles = (dice) => (dice.length === 2 && dice[0] === dice[1] ? [...dice, ...dice] : [...dice]);

/** @param {number[]} wanted @param {number[]} there */
function areAmong(wanted, there) {
  return wanted.every((die) => {
    const place = there.indexOf(die);
    if (place >= 0) there.splice(place, 1);
    return place >= 0;
  });
}
