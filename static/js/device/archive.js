// @ts-check
/** The arrays in a NumPy archive (.npz): a ZIP whose files are arrays with a header each. */

/** @typedef {{shape: number[], values: ArrayLike<number>}} NumberArray */

const END = 0x06054b50;
const ENTRY_BYTES = 46;
const HEAD_BYTES = 30;
const DEFLATED = 8;
/** Where the text of an array's header begins. */
const TEXT_AT = 10;

/** Every array of numbers in the archive, by name. @param {ArrayBuffer} file @returns {Promise<Map<string, NumberArray>>} */
export async function arraysOf(file) {
  const view = new DataView(file);
  let end = file.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end -= 1;
  if (end < 0) throw new Error("no archive");
  /** @type {Map<string, NumberArray>} */
  const arrays = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(file, at + ENTRY_BYTES, nameBytes));
    const array = arrayOf(await contentOf(file, view, at));
    if (array) arrays.set(name.replace(/\.npy$/, ""), array);
    at += ENTRY_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return arrays;
}

/** @param {ArrayBuffer} file @param {DataView} view @param {number} entry  where the list names it @returns {Promise<ArrayBuffer>} */
async function contentOf(file, view, entry) {
  const head = view.getUint32(entry + 42, true);
  const begin = head + HEAD_BYTES + view.getUint16(head + 26, true) + view.getUint16(head + 28, true);
  const content = file.slice(begin, begin + view.getUint32(entry + 20, true));
  if (view.getUint16(entry + 10, true) !== DEFLATED) return content;
  const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}

/** The array of one file; null if it is a text. @param {ArrayBuffer} content @returns {NumberArray|null} */
function arrayOf(content) {
  const view = new DataView(content);
  const length = view.getUint16(8, true);
  const header = new TextDecoder().decode(new Uint8Array(content, TEXT_AT, length));
  const kind = /'descr': '([^']+)'/.exec(header)?.[1] ?? "";
  const shape = (/'shape': \(([^)]*)\)/.exec(header)?.[1] ?? "").split(",").filter((part) => part.trim()).map(Number);
  const values = content.slice(TEXT_AT + length);
  if (kind === "<f2") return { shape, values: Float32Array.from(new Uint16Array(values), halfOf) };
  if (kind === "<f4") return { shape, values: new Float32Array(values) };
  if (kind === "|u1") return { shape, values: new Uint8Array(values) };
  if (kind === "<i8") return { shape, values: Float64Array.from(new BigInt64Array(values), Number) };
  return null;
}

/** The number that 16 bits of half precision stand for. @param {number} bits @returns {number} */
function halfOf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const power = (bits >> 10) & 31;
  const part = bits & 1023;
  return sign * (power ? 2 ** (power - 15) * (1 + part / 1024) : 2 ** -14 * (part / 1024));
}
