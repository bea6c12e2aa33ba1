// @ts-check
/** Reading the JSON of a record, with errors that say which field is wrong and why. */

import { bytesOf } from "./bgd1.js";

/**
 * @typedef {{n: number, kind: number, flags: number, house: Uint8Array, white: Uint8Array, black: Uint8Array,
 *   dice: number[]}} Roll
 * @typedef {{n: number, seat: number, dice: number[], moves: number[][]}} Play
 * @typedef {{number: number, previous: Uint8Array, hash: Uint8Array}} LogEntry
 * @typedef {object} Record
 * @property {Uint8Array} gameId
 * @property {string} terms
 * @property {"L"|"K"} mode
 * @property {Uint8Array} houseTip
 * @property {Uint8Array} white
 * @property {Uint8Array} black
 * @property {Uint8Array} openHash
 * @property {Roll[]} rolls
 * @property {Uint8Array|null} ctx
 * @property {Uint8Array|null} whiteSeed
 * @property {Uint8Array|null} blackSeed
 * @property {Uint8Array|null} signature
 * @property {Uint8Array|null} publicKey
 * @property {LogEntry|null} log
 * @property {Play[]|null} plays
 */

/** A record that cannot be read. */
export class BadRecord extends Error {}

/** The fields of one JSON object; `where` names it in errors. */
class Fields {
  /** @param {any} source @param {string} where */
  constructor(source, where) {
    if (source === null || typeof source !== "object" || Array.isArray(source))
      throw new BadRecord(`${where} is not a JSON object`);
    this.source = source;
    this.where = where;
  }

  /** @param {string} name */
  has(name) {
    return Object.hasOwn(this.source, name) && this.source[name] !== null;
  }

  /** @param {string} name */
  value(name) {
    if (!Object.hasOwn(this.source, name)) throw new BadRecord(`${this.where} has no field ${name}`);
    return this.source[name];
  }

  /** @param {string} name @returns {string} */
  text(name) {
    const found = this.value(name);
    if (typeof found !== "string") throw new BadRecord(`${name} of ${this.where} is not text`);
    return found;
  }

  /** @param {string} name @param {number} size */
  octets(name, size) {
    const found = this.text(name);
    if (found.length !== 2 * size || !/^[0-9a-f]*$/.test(found))
      throw new BadRecord(`${name} of ${this.where} is not ${2 * size} hexadecimal digits`);
    return bytesOf(found);
  }

  /** @param {string} name @param {number} size */
  optionalOctets(name, size) {
    return this.has(name) ? this.octets(name, size) : null;
  }

  /** @param {string} name @param {any} [found] @returns {number} */
  number(name, found = this.value(name)) {
    if (!Number.isSafeInteger(found) || found < 0)
      throw new BadRecord(`${name} of ${this.where} is not a whole number from 0 on`);
    return found;
  }

  /** @param {string} name @param {any} [found] @returns {number[]} */
  numbers(name, found = this.value(name)) {
    if (!Array.isArray(found)) throw new BadRecord(`${name} of ${this.where} is not a list of numbers`);
    return found.map((item) => this.number(name, item));
  }

  /** @param {string} name @returns {any[]} */
  list(name) {
    const found = this.value(name);
    if (!Array.isArray(found)) throw new BadRecord(`${name} of ${this.where} is not a list`);
    return found;
  }

  /** @param {string} name @param {string} entry what one of them is called */
  entries(name, entry) {
    return this.list(name).map((item, number) => new Fields(item, `${entry} ${number} (counted from 0)`));
  }
}

/** @param {any} value @returns {Record} */
export function readRecord(value) {
  const fields = new Fields(value, "the record");
  const mode = fields.text("mode");
  if (mode !== "K" && mode !== "L") throw new BadRecord(`mode of the record is K or L, not ${mode}`);
  return {
    gameId: fields.octets("game_id", 16),
    terms: fields.text("terms"),
    mode,
    houseTip: fields.octets("s0", 32),
    white: fields.octets("w", 32),
    black: fields.octets("b", 32),
    openHash: fields.octets("open_hash", 32),
    rolls: fields.entries("rolls", "roll").map(readRoll),
    ctx: fields.optionalOctets("ctx", 32),
    whiteSeed: fields.optionalOctets("seed_W", 32),
    blackSeed: fields.optionalOctets("seed_B", 32),
    signature: fields.optionalOctets("signature", 64),
    publicKey: fields.optionalOctets("public_key", 32),
    log: fields.has("log") ? readLogEntry(new Fields(fields.value("log"), "the log entry")) : null,
    plays: fields.has("moves") ? fields.entries("moves", "play").map(readPlay) : null,
  };
}

/** @param {Fields} fields @returns {Roll} */
const readRoll = (fields) => ({
  n: fields.number("n"),
  kind: fields.number("kind"),
  flags: fields.number("flags"),
  house: fields.octets("s", 32),
  white: fields.octets("eW", 32),
  black: fields.octets("eB", 32),
  dice: fields.numbers("dice"),
});

/** @param {Fields} fields @returns {Play} */
function readPlay(fields) {
  const moves = fields.list("moves").map((move) => fields.numbers("moves", move));
  if (moves.some((move) => move.length !== 3)) throw new BadRecord(`a move of ${fields.where} is [from, to, die]`);
  return { n: fields.number("n"), seat: fields.number("seat"), dice: fields.numbers("dice"), moves };
}

/** @param {Fields} fields @returns {LogEntry} */
const readLogEntry = (fields) => ({
  number: fields.number("number"),
  previous: fields.octets("previous", 32),
  hash: fields.octets("hash", 32),
});
