// @ts-check
/**
 * Checking Ed25519 signatures (RFC 8032, 5.1.7) with BigInt, since not every browser's WebCrypto supports them.
 * Everything here is public; there is nothing to keep from a clock.
 */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** @param {bigint} value */
const mod = (value) => ((value % P) + P) % P;

/** @param {bigint} base @param {bigint} exponent */
function power(base, exponent) {
  let result = 1n;
  for (let rest = exponent, square = mod(base); rest > 0n; rest >>= 1n, square = mod(square * square))
    if (rest & 1n) result = mod(result * square);
  return result;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

/** Extended coordinates: x = X/Z, y = Y/Z, x·y = T/Z. @typedef {[bigint, bigint, bigint, bigint]} Point */

/** @param {Uint8Array} bytes the lowest first */
const integerOf = (bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** @param {bigint} y @param {bigint} sign @returns {Point|null} */
function pointOf(y, sign) {
  if (y >= P) return null;
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x - square) || (x === 0n && sign)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

/** @param {Uint8Array} bytes */
function decompress(bytes) {
  const number = integerOf(bytes);
  return pointOf(number & ((1n << 255n) - 1n), number >> 255n);
}

/** @param {Point} one @param {Point} two @returns {Point} */
function add(one, two) {
  const a = mod((one[1] - one[0]) * (two[1] - two[0]));
  const b = mod((one[1] + one[0]) * (two[1] + two[0]));
  const c = mod(2n * one[3] * two[3] * D);
  const d = mod(2n * one[2] * two[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {bigint} scalar @param {Point} point @returns {Point} */
function times(scalar, point) {
  /** @type {Point} */
  let total = [0n, 1n, 1n, 0n];
  for (let rest = scalar; rest > 0n; rest >>= 1n, point = add(point, point)) if (rest & 1n) total = add(total, point);
  return total;
}

const BASE = /** @type {Point} */ (pointOf(mod(4n * power(5n, P - 2n)), 0n));

/**
 * Whether the signature (64 bytes) over the message was made with the key (32 bytes).
 * @param {Uint8Array} publicKey @param {Uint8Array} signature @param {Uint8Array} message
 */
export async function signatureFits(publicKey, signature, message) {
  const key = decompress(publicKey);
  const bound = decompress(signature.subarray(0, 32));
  const scalar = integerOf(signature.subarray(32));
  if (!key || !bound || scalar >= ORDER || publicKey.length !== 32 || signature.length !== 64) return false;
  const text = new Uint8Array([...signature.subarray(0, 32), ...publicKey, ...message]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", text));
  const left = times(scalar, BASE);
  const right = add(bound, times(integerOf(digest) % ORDER, key));
  return !mod(left[0] * right[2] - right[0] * left[2]) && !mod(left[1] * right[2] - right[1] * left[2]);
}
