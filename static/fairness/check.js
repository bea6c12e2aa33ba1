// @ts-check
/**
 * The page that checks records: a file, a pasted text, or the match named in the address (?record=/match/…).
 * Everything is calculated here; the only thing it ever fetches is the record of such a match.
 */

import * as bgd1 from "./bgd1.js";
import { envelopeFits, recordOf } from "./envelope.js";
import { readRecords, verifyMatch } from "./verify.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

/** @type {Record<string, string>} */
const words = JSON.parse(byId("check-words").textContent ?? "{}");
const form = /** @type {HTMLFormElement} */ (byId("check-form"));
const file = /** @type {HTMLInputElement} */ (byId("check-file"));
const text = /** @type {HTMLTextAreaElement} */ (byId("check-text"));
const envelopeFile = /** @type {HTMLInputElement} */ (byId("check-envelope"));
const verdict = byId("check-verdict");

/** A text with its {names} filled in. @param {string} key @param {Record<string, any>} [values] */
function said(key, values = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {string} tag @param {string} className @param {(Node|string)[]} content */
function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** A notice with its icon. @param {"success"|"danger"} kind @param {string} sentence */
function notice(kind, sentence) {
  const icons = /** @type {HTMLTemplateElement} */ (byId("check-icons")).content.children;
  const icon = icons[kind === "success" ? 0 : 1].cloneNode(true);
  return element("div", `notice notice-${kind}`, icon, element("b", "", sentence));
}

/** Show these instead of what was there. @param {Node[]} parts */
function show(...parts) {
  verdict.replaceChildren(...parts);
}

/** The facts about a game that do not depend on the verdict. @param {any} record @param {number} number */
function facts(record, number) {
  const told = [];
  const key = record.publicKey && bgd1.hexOf(record.publicKey);
  if (!record.signature) told.push(said("unsigned"));
  else told.push(key === form.dataset.key ? said("signed") : said("signed_elsewhere", { key }));
  const { log } = record;
  told.push(log ? said("log", { number: log.number, hash: bgd1.hexOf(log.hash) }) : said("no_log"));
  const white = record.rolls.filter((/** @type {any} */ roll) => roll.flags & bgd1.FLAG.whiteAbsent).length;
  const black = record.rolls.filter((/** @type {any} */ roll) => roll.flags & bgd1.FLAG.blackAbsent).length;
  if (white) told.push(said("absent_white", { count: white }));
  if (black) told.push(said("absent_black", { count: black }));
  if (!white && !black) told.push(said("present"));
  if (!record.plays) told.push(said("no_moves"));
  const dice = record.rolls.map((/** @type {any} */ roll) => roll.dice.join("\u2011")).join(" ");
  return element(
    "section",
    "card",
    element("h2", "", said("game", { number, rolls: record.rolls.length })),
    element("ul", "fair-told", ...told.map((line) => element("li", "", line))),
    element("h3", "", said("dice")),
    element("p", "fair-dice-row", dice),
  );
}

/** @param {any} failure @returns {string} */
function reason({ name, n, game }) {
  return said(n === null ? "where_game" : "where_roll", { game, n, what: said(`why_${name}`) });
}

/**
 * The content of the sealed envelope, if one was chosen; its password is in the record once the game is over.
 * @param {any} told the record as it came @param {any[]} records
 */
async function envelopeVerdict(told, records) {
  const chosen = envelopeFile.files?.[0];
  if (!chosen) return [];
  try {
    const envelope = JSON.parse(await chosen.text());
    const record = recordOf(envelope, records);
    if (!record) return [notice("danger", said("envelope_of_another"))];
    const password = (told.games ?? [told])[records.indexOf(record)].envelope_password;
    if (typeof password !== "string") return [notice("danger", said("envelope_closed"))];
    const fits = await envelopeFits(envelope, password, record);
    return [fits ? notice("success", said("envelope_fits")) : notice("danger", said("envelope_differs"))];
  } catch (error) {
    return [notice("danger", said("unreadable", { why: error instanceof Error ? error.message : error }))];
  }
}

/** Check a record and say what comes out. @param {string} source */
async function check(source) {
  if (!bgd1.isAvailable()) return show(notice("danger", said("unavailable")));
  show(element("p", "muted", said("working")));
  let told, records;
  try {
    told = JSON.parse(source);
    records = readRecords(told);
  } catch (error) {
    return show(notice("danger", said("unreadable", { why: error instanceof Error ? error.message : error })));
  }
  const failures = await verifyMatch(records);
  const games = [...(await envelopeVerdict(told, records)), ...records.map((each, at) => facts(each, at + 1))];
  if (!failures.length) return show(notice("success", said("believed")), ...games);
  const reasons = failures.map((failure) => element("li", "", reason(failure)));
  show(notice("danger", said("refused")), element("ul", "fair-reasons card", ...reasons), ...games);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = file.files?.[0];
  await check(text.value.trim() || (chosen ? await chosen.text() : ""));
  verdict.focus();
});

file.addEventListener("change", async () => {
  text.value = "";
  const chosen = file.files?.[0];
  if (chosen) await check(await chosen.text());
});

envelopeFile.addEventListener("change", () => form.requestSubmit());

/** The record of a match of this house, if the address names one. */
async function fetchNamed() {
  const named = new URLSearchParams(location.search).get("record");
  if (!named || !/^\/match\/[\w/.-]+$/.test(named)) return;
  const answer = await fetch(named, { headers: { Accept: "application/json" } });
  if (!answer.ok) return show(notice("danger", said("not_found")));
  text.value = await answer.text();
  await check(text.value);
}

fetchNamed();
