// @ts-check
/**
 * Checking the record of a game's dice: every reason not to believe it, each by a stable name, the same names
 * as everywhere (docs/dice.md). The sentences are English; a page has its own for each name.
 */

import * as bgd1 from "./bgd1.js";
import { signatureFits } from "./ed25519.js";
import { checkedPlays } from "./plays.js";
import { readRecord } from "./reading.js";

/** @typedef {import("./reading.js").Record} Record */
/** @typedef {import("./reading.js").Roll} Roll */
/** @typedef {{name: string, sentence: string, n: number|null, game?: number}} Failure */

/** The start rules under which a game begins with openings. */
const ROLL_OFFS = ["roll_off_use", "roll_off_reroll"];

/** @param {string} name @param {string} sentence @param {number|null} [n] @returns {Failure} */
const failure = (name, sentence, n = null) => ({ name, sentence, n });

/**
 * The records in a JSON value: one game, or {"games": […]} of a match. Throws BadRecord.
 * @param {any} value @returns {Record[]}
 */
export function readRecords(value) {
  const games = value?.games ?? [value];
  return (Array.isArray(games) && games.length ? games : [games]).map(readRecord);
}

/**
 * Every reason not to believe the dice of one game; an empty list if they are as they had to be.
 *
 * With `publicKey` the signature must be there and be of this key. With `gaps` rolls may be left out: for
 * examples of single rolls, never for a game.
 * @param {Record} record @param {{publicKey?: Uint8Array|null, gaps?: boolean}} [options]
 * @returns {Promise<Failure[]>}
 */
export async function verify(record, { publicKey = null, gaps = false } = {}) {
  const terms = termsOf(record.terms);
  const ctx = await bgd1.contextHash(record.terms);
  const found = [...(await opening(record, terms, ctx)), ...(await signature(record, publicKey))];
  found.push(...(await rolls(record, terms ?? {}, ctx, gaps)));
  const start = String(terms?.start_rule ?? "");
  return [...found, ...checkedPlays(record, start).map(([n, text]) => failure("moves", text, n))];
}

/**
 * Every reason not to believe the dice of a match; each names its game, counted from 1.
 * @param {Record[]} records @param {{publicKey?: Uint8Array|null}} [options]
 */
export async function verifyMatch(records, options = {}) {
  /** @type {Failure[]} */
  const found = [];
  for (const [place, record] of records.entries()) {
    const game = place + 1;
    for (const each of await verify(record, options)) found.push({ ...each, game });
    const earlier = records.slice(0, place);
    if (earlier.some((other) => bgd1.same(other.gameId, record.gameId)))
      found.push({ ...failure("games", "This is the record of an earlier game."), game });
    const { log } = record;
    if (log && earlier.some((other) => other.log && other.log.number >= log.number))
      found.push({ ...failure("games", "The openings of the games stand in the log in another order."), game });
  }
  return found;
}

/** The parts that the record lacks and that cannot be checked. @param {Record} record */
export function unchecked(record) {
  const missing = [];
  if (!record.signature || !record.publicKey) missing.push("signature");
  if (!record.log) missing.push("log");
  if (!record.plays) missing.push("moves");
  return missing;
}

/** The terms, or null unless they are canonical JSON with a sensible number of dice. @param {string} text */
function termsOf(text) {
  try {
    const terms = JSON.parse(text);
    const isObject = terms !== null && typeof terms === "object" && !Array.isArray(terms);
    return isObject && bgd1.canonicalJson(terms) === text && [2, 3].includes(terms.dice ?? 2) ? terms : null;
  } catch {
    return null;
  }
}

/** @param {Record} record @param {object|null} terms @param {Uint8Array} ctx */
async function opening(record, terms, ctx) {
  const found = [];
  if (!terms) found.push(failure("terms", "The terms are not written in the one way that the hash needs."));
  if (record.ctx && !bgd1.same(record.ctx, ctx)) found.push(failure("ctx", "The hash of the terms is another one."));
  const { gameId, mode, houseTip, white, black } = record;
  const hashed = await bgd1.openHash(gameId, ctx, mode, houseTip, white, black);
  if (!bgd1.same(hashed, record.openHash))
    found.push(failure("open_hash", "The opening hash is not the one of these terms and tips."));
  const { log } = record;
  if (log && !bgd1.same(await bgd1.logHash(log.number, log.previous, record.openHash), log.hash))
    found.push(failure("log", "The entry of the public log does not hold this opening."));
  return found;
}

/** @param {Record} record @param {Uint8Array|null} expected */
async function signature(record, expected) {
  const found = [];
  const { publicKey: key, signature: signed } = record;
  if (expected && !(key && bgd1.same(key, expected)))
    found.push(failure("public_key", "The record does not name the house's key."));
  if (!key && !signed && !expected) return found;
  if (!key || !signed || !(await signatureFits(key, signed, record.openHash)))
    found.push(failure("signature", "The house's signature does not fit the opening."));
  return found;
}

/** The last element seen of one chain, and in which roll; the tip counts as roll -1. */
class Chain {
  /** @param {Record} record @param {Uint8Array} ctx @param {string} role @param {Uint8Array} tip */
  constructor(record, ctx, role, tip) {
    this.record = record;
    this.ctx = ctx;
    this.role = role;
    this.tip = tip;
    this.last = tip;
    this.lastN = -1;
  }

  /** @param {Uint8Array} element @param {number} n */
  async leadsToLast(element, n) {
    const count = n - this.lastN;
    if (count < 1) return false;
    return bgd1.same(await bgd1.steps(this.record.gameId, this.role, element, count), this.last);
  }

  /** @param {Uint8Array} element @param {number} n */
  take(element, n) {
    this.last = element;
    this.lastN = n;
  }

  /** Whether the player gave this element. @param {Uint8Array} element @param {number} n */
  async isReal(element, n) {
    if (bgd1.same(this.tip, bgd1.NO_TIP)) return false;
    if (this.record.mode === "L") return this.leadsToLast(element, n);
    const seed = this.role === bgd1.ROLE.white ? this.record.whiteSeed : this.record.blackSeed;
    if (seed && !bgd1.same(seed, element)) return false;
    const { gameId, houseTip } = this.record;
    return bgd1.same(await bgd1.commitment(gameId, this.ctx, this.role, houseTip, element), this.tip);
  }

  /** Whether this is the substitute of a player who gave nothing. @param {Uint8Array} element @param {number} n */
  async isAbsent(element, n) {
    return bgd1.same(await bgd1.absentElement(this.record.gameId, this.role, n, this.last), element);
  }
}

/** @param {Record} record @param {any} terms @param {Uint8Array} ctx @param {boolean} gaps */
async function rolls(record, terms, ctx, gaps) {
  /** @type {Failure[]} */
  const found = [];
  const house = new Chain(record, ctx, bgd1.ROLE.house, record.houseTip);
  const white = new Chain(record, ctx, bgd1.ROLE.white, record.white);
  const black = new Chain(record, ctx, bgd1.ROLE.black, record.black);
  /** @type {Roll|null} */
  let before = null;
  for (const roll of record.rolls) {
    const { n } = roll;
    const expected = before ? before.n + 1 : 0;
    if (n >= bgd1.LENGTH) {
      found.push(failure("n_limit", `Roll ${n}: no game has more than ${bgd1.LENGTH} rolls.`, n));
      return found;
    }
    if (n < expected || (n > expected && !gaps))
      found.push(failure("n_order", `Roll ${n} stands where roll ${expected} belongs.`, n));
    if (n < expected) continue; // its elements were used already
    if (!(await house.leadsToLast(roll.house, n)))
      found.push(failure("chain_S", `Roll ${n}: the house's element does not lead back to its last one.`, n));
    house.take(roll.house, n);
    if (!kindFits(roll, before, terms, gaps))
      found.push(failure("kind", `Roll ${n} is of a kind that has no place here.`, n));
    found.push(...(await parts(record, roll, white, black)));
    found.push(...(await dice(record, roll, ctx, terms.dice ?? 2)));
    before = roll;
  }
  return found;
}

/**
 * Whether this roll had to be of its kind: openings come first, until one is not equal.
 * @param {Roll} roll @param {Roll|null} before @param {any} terms @param {boolean} gaps
 */
function kindFits(roll, before, terms, gaps) {
  const isOpening = roll.kind === bgd1.KIND.opening;
  if (!isOpening && roll.kind !== bgd1.KIND.normal) return false;
  if (before && !gaps) return isOpening === (before.kind === bgd1.KIND.opening && new Set(before.dice).size === 1);
  if (before || terms.start_rule === undefined) return true; // terms of examples do not say how the game begins
  return isOpening === ROLL_OFFS.includes(terms.start_rule);
}

/** @param {Record} record @param {Roll} roll @param {Chain} white @param {Chain} black */
async function parts(record, roll, white, black) {
  const found = [];
  let flags = record.mode === "K" ? bgd1.FLAG.modeK : 0;
  /** @type {[Chain, Uint8Array, number, string][]} */
  const sides = [
    [white, roll.white, bgd1.FLAG.whiteAbsent, "White"],
    [black, roll.black, bgd1.FLAG.blackAbsent, "Black"],
  ];
  for (const [player, element, flag, who] of sides) {
    const isReal = await player.isReal(element, roll.n);
    const isAbsent = await player.isAbsent(element, roll.n);
    const saidAbsent = Boolean(roll.flags & flag);
    if (!isReal && !isAbsent) {
      const reason = saidAbsent ? "absent" : record.mode === "L" ? "chain" : "commit";
      const text = `Roll ${roll.n}: ${who}'s element is not one of theirs, nor what stands for none.`;
      found.push(failure(`${reason}_${player.role}`, text, roll.n));
    }
    if (isAbsent || (saidAbsent && !isReal)) flags |= flag;
    if (isReal || !(saidAbsent || isAbsent)) player.take(element, roll.n);
  }
  if (roll.flags !== flags)
    found.push(failure("flags", `Roll ${roll.n}: its flags are ${roll.flags}, not ${flags}.`, roll.n));
  return found;
}

/** @param {Record} record @param {Roll} roll @param {Uint8Array} ctx @param {number} diceATurn */
async function dice(record, roll, ctx, diceATurn) {
  const count = bgd1.diceCount(roll.kind, diceATurn);
  let real;
  try {
    real = await bgd1.rollDice({ ...roll, gameId: record.gameId, ctx, count });
  } catch (error) {
    if (error instanceof bgd1.BadRoll) return []; // a kind or flags that no roll has, told above
    throw error;
  }
  if (real.length === roll.dice.length && real.every((die, place) => die === roll.dice[place])) return [];
  const text = `Roll ${roll.n}: the elements give ${real.join("-")}, the record says ${roll.dice.join("-")}.`;
  return [failure("dice", text, roll.n)];
}
