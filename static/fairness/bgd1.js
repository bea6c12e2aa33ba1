// @ts-check
/**
 * The dice protocol BGD1 (docs/dice.md): chains of hashes, openings and rolls. verify.js checks a whole record.
 *
 * Needs WebCrypto and nothing else, so it runs in a browser (on https or localhost) and in Node from 20 on.
 * Bytes are Uint8Array, 32 of them if nothing else is said; a game id has 16.
 */

/** N: how many rolls a game can have, and how many elements a chain has beyond its tip. */
export const LENGTH = 1024;
export const VALUE_BYTES = 32;

/** White is seat 0, the opener of the table; black is seat 1. */
export const ROLE = Object.freeze({ house: "S", white: "W", black: "B" });
export const KIND = Object.freeze({ opening: 1, normal: 2 });
export const FLAG = Object.freeze({ whiteAbsent: 1, blackAbsent: 2, modeK: 4 });

/** The tip of a player who gave none: they are absent in every roll. */
export const NO_TIP = new Uint8Array(VALUE_BYTES);

/** Bytes from here on are skipped: 252 = 42 · 6, so every face has 42 of the values below. */
const REJECTED_FROM = 252;

const encoder = new TextEncoder();

/** Something the protocol does not have. */
export class BadRoll extends Error {}

/** Whether this page can take part at all: WebCrypto is there on https and on localhost only. */
export const isAvailable = () => Boolean(globalThis.crypto?.subtle);

/** @param {Uint8Array} bytes @returns {string} lower-case hexadecimal */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex @returns {Uint8Array} */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} one @param {Uint8Array} two */
export const same = (one, two) => one.length === two.length && one.every((byte, place) => byte === two[place]);

/** @param {(Uint8Array|string)[]} parts texts become their ASCII bytes @returns {Uint8Array<ArrayBuffer>} */
function joined(...parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * SHA-256 of the tag, a zero byte and the parts.
 * @param {string} tag @param {(Uint8Array|string)[]} parts @returns {Promise<Uint8Array>}
 */
export async function tagged(tag, ...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(`${tag}\0`, ...parts)));
}

/** A number as bytes, the highest first. @param {number} number @param {number} size */
function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  for (let at = size - 1, rest = number; at >= 0; at -= 1, rest = Math.floor(rest / 256)) bytes[at] = rest % 256;
  return bytes;
}

// --- chains ---------------------------------------------------------------------------------------------

/**
 * The next element towards the tip.
 * @param {Uint8Array} gameId @param {string} role @param {Uint8Array} value
 */
export const step = (gameId, role, value) => tagged("BGD1.chain", gameId, role, value);

/** @param {Uint8Array} gameId @param {string} role @param {Uint8Array} value @param {number} count */
export async function steps(gameId, role, value, count) {
  for (let done = 0; done < count; done += 1) value = await step(gameId, role, value);
  return value;
}

/**
 * A whole chain: number 0 is the tip to publish, number n + 1 is what roll n takes. It takes 20 to 80 ms and
 * gives way to the page at every step. Without a secret it begins with a random one.
 * @param {Uint8Array} gameId @param {string} role @param {Uint8Array} [secret]
 * @returns {Promise<Uint8Array[]>} 1025 elements
 */
export async function makeChain(gameId, role, secret = crypto.getRandomValues(new Uint8Array(VALUE_BYTES))) {
  const elements = [secret];
  for (let done = 0; done < LENGTH; done += 1) elements.push(await step(gameId, role, elements[done]));
  return elements.reverse();
}

/**
 * The value that replaces the part of an absent player in roll n.
 * @param {Uint8Array} gameId @param {string} role @param {number} n
 * @param {Uint8Array} last the last element the player gave, or their tip (or commitment) while there is none
 */
export function absentElement(gameId, role, n, last) {
  return tagged("BGD1.absent", gameId, role, bigEndian(checkedNumber(n), 4), last);
}

/** @param {number} n @returns {number} */
function checkedNumber(n) {
  if (!Number.isInteger(n) || n < 0 || n >= LENGTH) throw new BadRoll(`a game has rolls 0 to ${LENGTH - 1}, not ${n}`);
  return n;
}

// --- openings -------------------------------------------------------------------------------------------

/**
 * The one way to write terms as JSON (RFC 8785); only whole numbers are terms.
 * @param {any} value @returns {string}
 */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${canonicalJson(name)}:${canonicalJson(value[name])}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new BadRoll(`${value} has no place in terms`);
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new BadRoll("half a surrogate pair is no text");
  return JSON.stringify(value);
}

/** ctx. @param {string} terms canonical JSON */
export const contextHash = (terms) => tagged("BGD1.terms", encoder.encode(terms));

/**
 * The hash that a player of mode K publishes before both seeds are shown.
 * @param {Uint8Array} gameId @param {Uint8Array} ctx @param {string} role
 * @param {Uint8Array} houseTip @param {Uint8Array} seed
 */
export const commitment = (gameId, ctx, role, houseTip, seed) =>
  tagged("BGD1.commit", gameId, ctx, role, houseTip, seed);

/**
 * The hash that the house signs and logs before the first roll.
 * @param {Uint8Array} gameId @param {Uint8Array} ctx @param {"L"|"K"} mode
 * @param {Uint8Array} houseTip @param {Uint8Array} white @param {Uint8Array} black tips (L) or commitments (K)
 */
export const openHash = (gameId, ctx, mode, houseTip, white, black) =>
  tagged("BGD1.open", gameId, ctx, bigEndian(mode === "L" ? 1 : 0, 1), houseTip, white, black);

/** @param {number} number from 1 on @param {Uint8Array} previous @param {Uint8Array} opened */
export const logHash = (number, previous, opened) => tagged("BGD1.log", bigEndian(number, 8), previous, opened);

// --- rolls ----------------------------------------------------------------------------------------------

/** How many dice a roll has: one of each player in an opening. @param {number} kind @param {number} [diceATurn] */
export const diceCount = (kind, diceATurn = 2) => (kind === KIND.opening ? 2 : diceATurn);

/**
 * @typedef {object} RollParts
 * @property {Uint8Array} gameId
 * @property {Uint8Array} ctx
 * @property {number} n
 * @property {number} kind
 * @property {number} flags
 * @property {Uint8Array} house the house's element of this roll
 * @property {Uint8Array} white white's element, or what stands for it
 * @property {Uint8Array} black
 * @property {number} [count] how many dice
 */

/**
 * The dice of a roll. Throws BadRoll for anything outside the protocol.
 * @param {RollParts} parts @returns {Promise<number[]>}
 */
export async function rollDice({ gameId, ctx, n, kind, flags, house, white, black, count = 2 }) {
  const sizes = [ctx, house, white, black].map((bytes) => bytes.length);
  if (gameId.length !== 16 || sizes.some((size) => size !== VALUE_BYTES)) throw new BadRoll("a part has another size");
  if ((kind !== KIND.opening && kind !== KIND.normal) || flags < 0 || flags > 7)
    throw new BadRoll(`no roll has kind ${kind} and flags ${flags}`);
  const number = bigEndian(checkedNumber(n), 4);
  const message = joined("BGD1.roll\0", gameId, ctx, number, new Uint8Array([kind, flags]), white, black);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", joined(house), algorithm, false, ["sign"]);
  /** @type {number[]} */
  const dice = [];
  for (let block = 0; dice.length < count; block += 1) {
    const bytes = await crypto.subtle.sign("HMAC", key, joined(message, bigEndian(block, 4)));
    dice.push(...diceOfBytes(new Uint8Array(bytes), count - dice.length));
  }
  return dice;
}

/**
 * At most `count` dice out of these bytes.
 * @param {Iterable<number>} bytes @param {number} count @returns {number[]}
 */
export function diceOfBytes(bytes, count) {
  const dice = [];
  for (const byte of bytes) {
    if (dice.length === count) break;
    if (byte < REJECTED_FROM) dice.push((byte % 6) + 1);
  }
  return dice;
}
