// @ts-check
/**
 * This player's part in the dice (docs/dice.md).
 *
 * The page makes a chain (or a seed) for each game, keeps it on this device, and gives its part by itself as soon as a
 * roll asks for it; checks.js checks every roll. On a second device, or without WebCrypto, the player is absent in the
 * rolls.
 */

import { LENGTH, bytesOf, commitment, contextHash, hexOf, isAvailable, makeChain } from "../../fairness/bgd1.js";
import { RollChecks, idBytes, roleOf } from "./checks.js";
import { byId } from "./dom.js";
import { announce } from "./notices.js";
import { say, sayCount } from "../say.js";

const KEPT = "pasch.dice.";
/** So many games' secrets stay on the device; older ones are of games long over. */
const GAMES_KEPT = 12;

/** @typedef {import("../types/frames.js").FairView} Fair */
/** @typedef {import("./checks.js").Seal} Seal */

export class Dice {
  /**
   * @param {{send: (frame: object) => void, record?: (match: string) => string}} handlers  record: see checks.js
   */
  constructor(handlers) {
    this.handlers = handlers;
    this.checks = new RollChecks({ record: handlers.record, onSeal: (seal) => showSeal(seal, this.seat) });
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
    const checked = this.checks.look(fair); // it may read the record: parts do not wait for that
    if (part && fair.mode === "L") checked.then(() => this.comeBack(fair, part));
  }

  /** Announce this page again after a roll that did not wait for it. @param {Fair} fair @param {Uint8Array[]} chain */
  comeBack(fair, chain) {
    const { absent } = this.checks.seal;
    const isAbsent = this.seat !== null && fair.game === this.game && absent[this.seat];
    if (isAbsent && this.checks.last(fair.game) > this.announcedAt) this.announce(fair, hexOf(chain[0]));
  }

  /** Another game: nothing of it is known yet. @param {Fair} fair */
  begin(fair) {
    this.game = fair.game;
    this.mine = null;
    this.announced = false;
    this.answered = this.announcedAt = -1;
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
    this.announcedAt = this.checks.last(fair.game);
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

  /** @param {Fair} fair @param {string} reason */
  fail(fair, reason) {
    console.warn(`the dice of game ${fair.game} could not be checked: ${reason}`);
  }
}

/** Keep a game's secret on this device and forget the oldest ones. @param {string} game @param {string} secret */
function keep(game, secret) {
  const list = `${KEPT}list`;
  /** @type {string[]} */
  const games = JSON.parse(localStorage.getItem(list) ?? "[]");
  for (const old of games.splice(0, Math.max(0, games.length + 1 - GAMES_KEPT))) localStorage.removeItem(KEPT + old);
  localStorage.setItem(KEPT + game, secret);
  localStorage.setItem(list, JSON.stringify([...games, game]));
}

/** The small seal beside the moves: whether the dice of this match have been checked, and how many rolls. @param {Seal} seal @param {0|1|null} seat */
function showSeal(seal, seat) {
  const mark = byId("seal");
  const look = seal.failure ? "broken" : seal.rolls ? "good" : "none";
  if (look === "broken" && mark.dataset.seal !== "broken") announce(say("A roll in this match failed verification. Save the match record and contact us."));
  mark.dataset.seal = look;
  mark.hidden = look === "none";
  byId("seal-text").textContent = sealText(seal, seat);
}

/** @param {Seal} seal @param {0|1|null} seat @returns {string} */
function sealText(seal, seat) {
  if (seal.failure) return say("A roll in this match failed verification. Save the match record and contact us.");
  const checked = sayCount("{count} roll of this match checked", "{count} rolls of this match checked", { count: seal.rolls });
  const away = seal.absent.flatMap((absent, side) => (absent ? [side] : []));
  if (!away.length) return checked;
  return `${checked} · ${absentText(away.length === 2 ? null : away[0] === seat)}`;
}

/** Whose device was away: mine, the opponent's (false), or both (null). @param {boolean|null} mine @returns {string} */
function absentText(mine) {
  if (mine === null) return say("neither player’s device took part in the last one");
  return mine ? say("your device took no part in the last one") : say("your opponent’s device took no part in the last one");
}
