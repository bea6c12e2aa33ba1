// @ts-check
/**
 * Opening the sealed envelope of a game: the house's secret, given to a player in an encrypted file before the
 * first roll; its password is in the record afterwards.
 */

import { LENGTH, ROLE, bytesOf, hexOf, makeChain, same } from "./bgd1.js";

/** An envelope takes this long to open, and no longer. */
const ITERATIONS_MAX = 1_000_000;

/** @typedef {{game: string, salt: string, iterations: number, nonce: string, sealed: string}} Envelope */

/**
 * The record among these that the envelope belongs to.
 * @template {{gameId: Uint8Array}} T @param {Envelope} envelope @param {T[]} records @returns {T|undefined}
 */
export function recordOf(envelope, records) {
  const game = String(envelope?.game).replaceAll("-", "");
  return records.find((record) => hexOf(record.gameId) === game);
}

/**
 * Whether the envelope holds the secret from which all of the house's elements of this record come.
 * @param {Envelope} envelope @param {string} password
 * @param {{gameId: Uint8Array, houseTip: Uint8Array, rolls: {n: number, house: Uint8Array}[]}} record
 */
export async function envelopeFits(envelope, password, record) {
  const secret = await opened(envelope, password);
  if (secret?.length !== 32) return false;
  const elements = await makeChain(record.gameId, ROLE.house, secret);
  return (
    same(elements[0], record.houseTip) &&
    record.rolls.every(({ n, house }) => n < LENGTH && same(elements[n + 1], house))
  );
}

/** The content of the envelope; null if this password does not open it. @param {Envelope} envelope @param {string} password */
async function opened({ salt, iterations, nonce, sealed }, password) {
  if (!(iterations <= ITERATIONS_MAX)) return null;
  try {
    const { subtle } = crypto;
    const typed = new TextEncoder().encode(password);
    const base = await subtle.importKey("raw", typed, "PBKDF2", false, ["deriveKey"]);
    const stretch = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt).slice(), iterations };
    const key = await subtle.deriveKey(stretch, base, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
    const algorithm = { name: "AES-GCM", iv: bytesOf(nonce).slice() };
    return new Uint8Array(await subtle.decrypt(algorithm, key, bytesOf(sealed).slice()));
  } catch {
    return null;
  }
}
