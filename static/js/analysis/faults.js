// @ts-check
/** The faults of a file beside its text: their places and reasons, and what was kept. */

import { sayCount } from "../say.js";
import { byId, make } from "../table/dom.js";

/** @typedef {{message: string, kept: string, line: number|null, column: number|null}} Fault  a place counts from 1 */

/** A longer text is shown around its faults only. */
const LINES_MOST = 1500;
const AROUND = 3;
const TAB = 8;

/** What ends a line of a match in plain text; in SGF and JSON that is a line feed alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends a line at them, too
const LINE_ENDS = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

/** The text of a file in the letters that the house's reader takes it for. @param {File} file @returns {Promise<string>} */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const zeros = (/** @type {number} */ from) => bytes.length >= 8 && [0, 2, 4, 6].every((place) => bytes[place + from] === 0);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || zeros(1)) return new TextDecoder("utf-16le").decode(bytes);
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || zeros(0)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Show the faults of this text, or nothing without any. @param {Fault[]} faults @param {number} count  of all, of which these are the first @param {string} text */
export function showFaults(faults, count, text) {
  byId("analysis-faults").hidden = faults.length === 0;
  const places = faults.filter((fault) => fault.line !== null);
  const source = byId("analysis-source");
  source.hidden = places.length === 0;
  source.replaceChildren(...(source.hidden ? [] : rows(linesOf(text), places)));
  const listed = faults.map(entry);
  if (count > faults.length) listed.push(make("li", "", sayCount("One more fault is not listed.", "{count} more faults are not listed.", { count: count - faults.length })));
  byId("analysis-faults-list").replaceChildren(...listed);
  const first = /** @type {HTMLElement|null} */ (source.querySelector(".is-bad"));
  if (first) source.scrollTop = first.offsetTop - TAB * AROUND;
}

/** @param {Fault} fault @returns {HTMLElement} */
function entry(fault) {
  if (fault.line === null) return make("li", "", fault.message, " ", make("span", "", fault.kept));
  const button = make("button", "", fault.message);
  button.setAttribute("type", "button");
  button.addEventListener("click", () => {
    const row = byId("analysis-source").querySelector(`[data-line="${fault.line}"]`);
    (row?.querySelector("mark") ?? row)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return make("li", "", button, " ", make("span", "", fault.kept));
}

/** @param {string} text @returns {string[]} */
function linesOf(text) {
  const whole = text.trimEnd();
  return /^[\s\ufeff]*[({]/.test(whole) ? whole.split("\n") : whole.split(LINE_ENDS).map(withoutTabs);
}

/** @param {string} line @returns {string} */
function withoutTabs(line) {
  return line.split("\t").reduce((before, part) => before + " ".repeat(TAB - (before.length % TAB)) + part);
}

/** The lines with their numbers, those with a fault marked. @param {string[]} lines @param {Fault[]} faults @returns {HTMLElement[]} */
function rows(lines, faults) {
  /** @type {Map<number, (number|null)[]>} */
  const columns = new Map();
  for (const { line, column } of faults) columns.set(Number(line), [...(columns.get(Number(line)) ?? []), column]);
  const near = new Set([...columns.keys()].flatMap((line) => Array.from({ length: 2 * AROUND + 1 }, (_, step) => line - AROUND + step)));
  const made = [];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (lines.length > LINES_MOST && !near.has(number)) continue;
    if (number > last + 1) made.push(make("p", "", make("span", "", "⋯")));
    made.push(row(line, number, columns.get(number)));
    last = number;
  }
  return made;
}

/** A line, with a mark at each column at fault. @param {string} line @param {number} number @param {(number|null)[]} [columns] @returns {HTMLElement} */
function row(line, number, columns) {
  const letters = [...line];
  const parts = columns ? letters.map((letter, index) => (columns.includes(index + 1) ? make("mark", "", letter) : letter)) : [line];
  const made = make("p", columns ? "is-bad" : "", make("span", "", String(number)), make("span", "", ...parts));
  made.dataset.line = String(number);
  return made;
}
