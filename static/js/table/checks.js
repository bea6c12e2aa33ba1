// @ts-check
/**
 * The check of every roll of a match (docs/dice.md): the house's part, both players' parts, and the dice.
 *
 * Rolls are checked as they come. Those that this page has not seen, because it was opened or connected again in the
 * meantime, are read from the record of the match and checked in the same way; so the count is of the whole match.
 */

import {
  FLAG, ROLE, absentElement, bytesOf, commitment, contextHash, hexOf, rollDice, same, steps,
} from "../../fairness/bgd1.js";

const SIDES = /** @type {const} */ (["white", "black"]);

/** @typedef {import("../types/frames.js").FairView} Fair */
/** @typedef {Fair["rolls"][number]} Roll */
/** What is fixed of a game, as in the view: `house` and `given` are the tips (or commitments). */
/** @typedef {Pick<Fair, "mode" | "terms" | "house" | "given"> & {game: string}} Fixed */
/** @typedef {{rolls: number, failure: string|null, absent: boolean[]}} Seal */

/** @param {string} uuid @returns {Uint8Array} */
export const idBytes = (uuid) => bytesOf(uuid.replaceAll("-", ""));

/** @param {number} seat @returns {"W"|"B"} */
export const roleOf = (seat) => (seat ? ROLE.black : ROLE.white);

/** @returns {Seal} */
const unbroken = () => ({ rolls: 0, failure: null, absent: [false, false] });

export class RollChecks {
  /** @param {{onSeal: (seal: Seal) => void, record?: (match: string) => string}} handlers  record: where the record of a match is */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {string|null} */
    this.match = null;
    /** The games of this match by their ids in hexadecimal. @type {Map<string, GameChecks>} */
    this.games = new Map();
    this.seal = unbroken();
    /** Views are worked off one after the other. */
    this.line = Promise.resolve();
  }

  /** Check what is new in this view. @param {Fair} fair @returns {Promise<void>} */
  look(fair) {
    this.line = this.line.then(() => this.take(fair)).catch((error) => {
      console.warn(`the dice of game ${fair.game} could not be checked: ${error}`);
    });
    return this.line;
  }

  /** The number of the last roll of this game that was checked; -1 before the first. @param {string} game */
  last(game) {
    return this.games.get(hexOf(idBytes(game)))?.checked ?? -1;
  }

  /** @param {Fair} fair */
  async take(fair) {
    const { match, number } = JSON.parse(fair.terms);
    const isNew = match !== this.match;
    if (isNew) {
      this.match = match;
      this.games.clear();
      this.seal = unbroken();
      this.handlers.onSeal(this.seal);
    }
    const game = this.game(fair);
    const first = fair.rolls[0]?.n ?? fair.next;
    if ((isNew && number > 1) || first > game.checked + 1) await this.catchUp(match, fair, first);
    for (const roll of fair.rolls) await this.check(game, roll);
  }

  /** The checks of a game, begun on first use; from its first roll on nothing of what is fixed changes. @param {Fixed} fixed */
  game(fixed) {
    const id = hexOf(idBytes(fixed.game));
    const game = this.games.get(id) ?? new GameChecks(fixed);
    this.games.set(id, game);
    if (game.checked < 0) game.fixed = fixed;
    return game;
  }

  /**
   * Check the rolls before roll `first` of the current game, and earlier games, by the record of the match. What is
   * fixed of the current game is what the view says. Without a record only what this page sees is checked and counted.
   * @param {string} match @param {Fair} fair @param {number} first
   */
  async catchUp(match, fair, first) {
    const address = this.handlers.record?.(match) ?? `/match/${match}/dice.json`;
    const answer = await fetch(address, { credentials: "same-origin" }).catch(() => null);
    const record = answer?.ok ? await answer.json().catch(() => null) : null;
    const current = hexOf(idBytes(fair.game));
    for (const told of record?.games ?? []) {
      const { game_id, mode, terms, s0, w, b, rolls } = told;
      const isCurrent = game_id === current;
      const game = this.game(isCurrent ? fair : { game: game_id, mode, terms, house: s0, given: [w, b] });
      for (const roll of rolls) if (!isCurrent || roll.n < first) await this.check(game, roll);
    }
  }

  /** @param {GameChecks} game @param {Roll} roll */
  async check(game, roll) {
    if (roll.n <= game.checked) return;
    const failure = this.seal.failure ?? (await game.wrongWith(roll));
    game.checked = roll.n;
    const absent = [Boolean(roll.flags & FLAG.whiteAbsent), Boolean(roll.flags & FLAG.blackAbsent)];
    this.seal = { rolls: this.seal.rolls + 1, failure, absent };
    this.handlers.onSeal(this.seal);
  }
}

/** The rolls of one game, each checked against what is fixed and against the one before it. */
class GameChecks {
  /** @param {Fixed} fixed */
  constructor(fixed) {
    this.fixed = fixed;
    this.id = idBytes(fixed.game);
    this.checked = -1;
    /** The last real part of each side and how deep in its chain it lies. @type {Record<string, {value: Uint8Array, depth: number}>} */
    this.seen = {};
  }

  /** Why this roll is not to be believed, by name; null if it is as it had to be. @param {Roll} roll @returns {Promise<string|null>} */
  async wrongWith(roll) {
    const house = bytesOf(roll.s);
    if (!(await this.leadsBack("house", ROLE.house, this.fixed.house, house, roll.n))) return "chain_S";
    for (const seat of /** @type {const} */ ([0, 1])) {
      const part = bytesOf(seat ? roll.eB : roll.eW);
      const absent = Boolean(roll.flags & (seat ? FLAG.blackAbsent : FLAG.whiteAbsent));
      if (!(await this.isTheirs(seat, part, absent, roll.n))) return `${absent ? "absent" : "chain"}_${roleOf(seat)}`;
    }
    const ctx = await contextHash(this.fixed.terms);
    const { n, kind, flags } = roll;
    const dice = await rollDice({
      gameId: this.id, ctx, n, kind, flags, house, white: bytesOf(roll.eW), black: bytesOf(roll.eB), count: roll.dice.length,
    });
    return dice.join() === roll.dice.join() ? null : "dice";
  }

  /** Whether a side's part in roll n is the player's, or its proper substitute. @param {0|1} seat @param {Uint8Array} part @param {boolean} absent @param {number} n */
  async isTheirs(seat, part, absent, n) {
    const side = SIDES[seat];
    const given = this.fixed.given[seat] ?? "0".repeat(64);
    const role = roleOf(seat);
    if (absent) {
      // without the earlier rolls the part before this one is missing; the whole record can be checked later
      if (!this.seen[side] && this.checked < 0 && n > 0) return true;
      return same(part, await absentElement(this.id, role, n, this.seen[side]?.value ?? bytesOf(given)));
    }
    if (this.fixed.mode === "L") return this.leadsBack(side, role, given, part, n);
    const ctx = await contextHash(this.fixed.terms);
    return hexOf(await commitment(this.id, ctx, role, bytesOf(this.fixed.house), part)) === given;
  }

  /** @param {string} side @param {string} role @param {string} tip @param {Uint8Array} part @param {number} n */
  async leadsBack(side, role, tip, part, n) {
    const last = this.seen[side] ?? { value: bytesOf(tip), depth: 0 };
    const count = n + 1 - last.depth;
    if (count < 1 || !same(await steps(this.id, role, part, count), last.value)) return false;
    this.seen[side] = { value: part, depth: n + 1 };
    return true;
  }
}
