// @ts-check
/**
 * This player's part in the dice, and the check of every roll (docs/dice.md).
 *
 * The page makes a chain (or a seed) for each game, keeps it on this device, and gives its part by itself
 * as soon as a roll asks for it. Each roll is checked at once: the house's part, both players'
 * parts, and the dice. On a second device, or without WebCrypto, the player is absent in the rolls.
 */

import {
  FLAG, LENGTH, ROLE, absentElement, bytesOf, commitment, contextHash, hexOf, isAvailable, makeChain, rollDice, same, steps,
} from "../../fairness/bgd1.js";

const KEPT = "pasch.dice.";
/** So many games' secrets stay on the device; older ones are of games long over. */
const GAMES_KEPT = 12;
const SIDES = /** @type {const} */ (["white", "black"]);

/** @typedef {import("../types/frames.js").FairView} Fair */

/** @typedef {{rolls: number, failure: string|null, absent: boolean[]}} Seal */

/** @param {string} uuid @returns {Uint8Array} */
const idBytes = (uuid) => bytesOf(uuid.replaceAll("-", ""));

export class Dice {
  /**
   * @param {{send: (frame: object) => void, onSeal: (seal: Seal) => void}} handlers
   */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {0|1|null} */
    this.seat = null;
    /** @type {string|null} */
    this.game = null;
    /** My chain in mode L, tip first; my seed alone in mode K; null while I take no part. @type {Uint8Array[]|null} */
    this.mine = null;
    this.phase = "open";
    this.seq = 0;
    this.announced = false;
    this.announcedAt = -1;
    this.answered = -1;
    /** @type {Seal} */
    this.seal = { rolls: 0, failure: null, absent: [false, false] };
    this.checked = -1;
    /** The last real part of each side and how deep in its chain it lies. @type {Record<string, {value: Uint8Array, depth: number}>} */
    this.seen = {};
    /** Frames are worked off one after the other. */
    this.line = Promise.resolve();
  }

  /** Every frame of the connection comes by here, before the board shows it. @param {any} frame */
  heard(frame) {
    if (frame.type === "welcome") {
      this.seat = frame.seat;
      this.seq = 0;
      this.announced = false;
      return;
    }
    const fair = frame.type === "fair" ? frame.fair : frame.view?.fair;
    if (!fair || !isAvailable() || frame.seq < this.seq) return; // a newer one was here before
    this.seq = frame.seq;
    if (frame.view) this.phase = frame.view.phase;
    const running = !["over", "closed"].includes(this.phase);
    const rolling = this.phase === "rolling";
    this.line = this.line.then(() => this.take(fair, running, rolling)).catch((error) => this.fail(fair, String(error)));
  }

  /** @param {Fair} fair @param {boolean} running @param {boolean} rolling */
  async take(fair, running, rolling) {
    if (fair.game !== this.game) this.begin(fair);
    const part = running ? await this.part(fair) : null;
    if (part && rolling && fair.mode === "L") this.answer(fair, part);
    for (const roll of fair.rolls) if (roll.n > this.checked) await this.check(fair, roll);
    if (part && fair.mode === "L" && this.seat !== null && this.seal.absent[this.seat] && this.checked > this.announcedAt) this.announce(fair, hexOf(part[0]));
  }

  /** Another game: nothing of it is known yet. @param {Fair} fair */
  begin(fair) {
    this.game = fair.game;
    this.mine = null;
    this.announced = false;
    this.answered = this.checked = this.announcedAt = -1;
    this.seen = {};
    this.seal = { rolls: 0, failure: null, absent: [false, false] };
    this.handlers.onSeal(this.seal);
  }

  /** My chain or seed for this game, given to the house; null where I take no part. @param {Fair} fair */
  async part(fair) {
    const { seat } = this;
    if (seat === null) return null;
    const given = fair.given[seat];
    if (!this.mine) {
      const kept = localStorage.getItem(KEPT + fair.game);
      if (!kept && (given || fair.open)) return null;
      const secret = kept ? bytesOf(kept) : crypto.getRandomValues(new Uint8Array(32));
      if (!kept) keep(fair.game, hexOf(secret));
      this.mine = fair.mode === "L" ? await makeChain(idBytes(fair.game), roleOf(seat), secret) : [secret];
    }
    const value = await this.value(fair, this.mine[0]);
    if (given && given !== value) return null; // another device of mine plays in this game's dice
    if (!given && fair.open) return null;
    if (!this.announced) this.announce(fair, value);
    if (fair.mode === "K" && fair.open && !fair.revealed[seat])
      this.handlers.send({ type: "dice_seed", game: fair.game, seed: hexOf(this.mine[0]) });
    return this.mine;
  }

  /** My tip, or what binds me to my seed. @param {Fair} fair @param {Uint8Array} first @returns {Promise<string>} */
  async value(fair, first) {
    if (fair.mode === "L") return hexOf(first);
    const ctx = await contextHash(fair.terms);
    return hexOf(await commitment(idBytes(fair.game), ctx, roleOf(this.seat ?? 0), bytesOf(fair.house), first));
  }

  /** Say that I take part: once a connection, and again after a roll that did not wait for me. @param {Fair} fair @param {string} value */
  announce(fair, value) {
    this.announced = true;
    this.announcedAt = this.checked;
    this.handlers.send({ type: "dice_tip", game: fair.game, value });
  }

  /** @param {Fair} fair @param {Uint8Array[]} chain */
  answer(fair, chain) {
    if (this.seat === null || !fair.wanted[this.seat] || this.answered >= fair.next) return;
    this.answered = fair.next;
    this.handlers.send({ type: "dice_element", game: fair.game, n: fair.next, element: hexOf(chain[fair.next + 1]) });
  }

  /** My part in the next roll, for the command that rolls; nothing where I take no part. @param {Fair|null|undefined} fair @returns {{element?: string}} */
  element(fair) {
    if (fair?.mode !== "L" || fair.game !== this.game || !this.mine || this.seat === null) return {};
    if (fair.next >= LENGTH) return {}; // no game was ever so long: the house ends it without a result
    if (fair.given[this.seat] !== hexOf(this.mine[0])) return {};
    this.answered = fair.next;
    return { element: hexOf(this.mine[fair.next + 1]) };
  }

  /** @param {Fair} fair @param {Fair["rolls"][number]} roll */
  async check(fair, roll) {
    const failure = this.seal.failure ?? (await this.wrongWith(fair, roll));
    this.checked = roll.n;
    const absent = [Boolean(roll.flags & FLAG.whiteAbsent), Boolean(roll.flags & FLAG.blackAbsent)];
    this.seal = { rolls: this.seal.rolls + 1, failure, absent };
    this.handlers.onSeal(this.seal);
  }

  /** Why this roll is not to be believed, by name; null if it is as it had to be. @param {Fair} fair @param {Fair["rolls"][number]} roll @returns {Promise<string|null>} */
  async wrongWith(fair, roll) {
    const gameId = idBytes(fair.game);
    const house = bytesOf(roll.s);
    if (!(await this.leadsBack(gameId, "house", ROLE.house, fair.house, house, roll.n))) return "chain_S";
    for (const seat of /** @type {const} */ ([0, 1])) {
      const side = SIDES[seat];
      const part = bytesOf(seat ? roll.eB : roll.eW);
      const absent = Boolean(roll.flags & (seat ? FLAG.blackAbsent : FLAG.whiteAbsent));
      const letter = roleOf(seat);
      if (!(await this.isHis(fair, gameId, side, seat, part, absent, roll.n))) return `${absent ? "absent" : "chain"}_${letter}`;
    }
    const ctx = await contextHash(fair.terms);
    const { n, kind, flags } = roll;
    const dice = await rollDice({
      gameId, ctx, n, kind, flags, house, white: bytesOf(roll.eW), black: bytesOf(roll.eB), count: roll.dice.length,
    });
    return dice.join() === roll.dice.join() ? null : "dice";
  }

  /** Whether a side's part in roll n is the player's, or its proper substitute. @param {Fair} fair @param {Uint8Array} gameId @param {"white"|"black"} side @param {0|1} seat @param {Uint8Array} part @param {boolean} absent @param {number} n */
  async isHis(fair, gameId, side, seat, part, absent, n) {
    const given = fair.given[seat] ?? "0".repeat(64);
    const role = roleOf(seat);
    if (absent) {
      const last = this.seen[side]?.value ?? bytesOf(given);
      // a page opened in the middle of a game lacks the previous part; the whole record can be checked later
      if (!this.seen[side] && this.checked < 0 && n > 0) return true;
      return same(part, await absentElement(gameId, role, n, last));
    }
    if (fair.mode === "L") return this.leadsBack(gameId, side, role, given, part, n);
    const ctx = await contextHash(fair.terms);
    return hexOf(await commitment(gameId, ctx, role, bytesOf(fair.house), part)) === given;
  }

  /** @param {Uint8Array} gameId @param {string} side @param {string} role @param {string} tip @param {Uint8Array} part @param {number} n */
  async leadsBack(gameId, side, role, tip, part, n) {
    const last = this.seen[side] ?? { value: bytesOf(tip), depth: 0 };
    const count = n + 1 - last.depth;
    if (count < 1 || !same(await steps(gameId, role, part, count), last.value)) return false;
    this.seen[side] = { value: part, depth: n + 1 };
    return true;
  }

  /** @param {Fair} fair @param {string} reason */
  fail(fair, reason) {
    console.warn(`the dice of game ${fair.game} could not be checked: ${reason}`);
  }
}

/** @param {number} seat @returns {"W"|"B"} */
const roleOf = (seat) => (seat ? ROLE.black : ROLE.white);

/** Keep a game's secret on this device and forget the oldest ones. @param {string} game @param {string} secret */
function keep(game, secret) {
  const list = `${KEPT}list`;
  /** @type {string[]} */
  const games = JSON.parse(localStorage.getItem(list) ?? "[]");
  for (const old of games.splice(0, Math.max(0, games.length + 1 - GAMES_KEPT))) localStorage.removeItem(KEPT + old);
  localStorage.setItem(KEPT + game, secret);
  localStorage.setItem(list, JSON.stringify([...games, game]));
}
