// @ts-check
/**
 * The page that checks records: a file, a pasted text, or the match named in the address (?record=/match/…).
 * Everything is calculated here; the only thing it ever fetches is the record of such a match.
 */

import { say } from "../js/say.js";
import * as bgd1 from "./bgd1.js";
import { envelopeFits, recordOf } from "./envelope.js";
import { readRecords, verifyMatch } from "./verify.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const form = /** @type {HTMLFormElement} */ (byId("check-form"));
const file = /** @type {HTMLInputElement} */ (byId("check-file"));
const text = /** @type {HTMLTextAreaElement} */ (byId("check-text"));
const envelopeFile = /** @type {HTMLInputElement} */ (byId("check-envelope"));
const verdict = byId("check-verdict");

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
  if (!record.signature) told.push(say("Not signed: its author could have made this record up."));
  else told.push(key === form.dataset.key ? say("Signed with the key of this house.") : say("Signed with another key than that of this house: {key}", { key }));
  const { log } = record;
  told.push(log ? say("Entry {number} of the public log, whose hash is {hash}", { number: log.number, hash: bgd1.hexOf(log.hash) }) : say("Without an entry of the public log."));
  const white = record.rolls.filter((/** @type {any} */ roll) => roll.flags & bgd1.FLAG.whiteAbsent).length;
  const black = record.rolls.filter((/** @type {any} */ roll) => roll.flags & bgd1.FLAG.blackAbsent).length;
  if (white) told.push(say("White had no part in {count} rolls.", { count: white }));
  if (black) told.push(say("Black had no part in {count} rolls.", { count: black }));
  if (!white && !black) told.push(say("Both players had a part in every roll."));
  if (!record.plays) told.push(say("Without the plays, so nobody can see that they used these dice."));
  const dice = record.rolls.map((/** @type {any} */ roll) => roll.dice.join("\u2011")).join(" ");
  return element(
    "section",
    "card",
    element("h2", "", say("Game {number}: {rolls} rolls", { number, rolls: record.rolls.length })),
    element("ul", "fair-told", ...told.map((line) => element("li", "", line))),
    element("h3", "", say("The dice in order")),
    element("p", "fair-dice-row", dice),
  );
}

const PART = say("the part of this player in the roll does not follow from the player's commitment.");
const SUBSTITUTE = say("the substitute value for the absent player is wrong.");

/** The meaning of each code with which verify.js rejects a record. @type {Record<string, string>} */
const WHY = {
  terms: say("the terms are not in the canonical form needed for hashing."),
  ctx: say("the hash of the terms does not match."),
  open_hash: say("the values committed before the game were changed."),
  log: say("the entry of the public log does not belong to this game."),
  signature: say("the house’s signature is invalid."),
  public_key: say("the record was signed with a different house key."),
  n_order: say("a roll is missing, or is there twice."),
  n_limit: say("that is too many rolls for one game."),
  kind: say("rolling for the beginning and rolling for a play are mixed up."),
  flags: say("the record is wrong about who took part in the roll."),
  chain_S: say("the house's part does not follow from what it was bound to."),
  chain_W: PART,
  chain_B: PART,
  commit_W: PART,
  commit_B: PART,
  absent_W: SUBSTITUTE,
  absent_B: SUBSTITUTE,
  dice: say("the dice are not the ones that the three parts give."),
  moves: say("a play does not use the dice of its roll, or is missing."),
  games: say("this record does not belong in this match, or not in this place."),
};

/** @param {any} failure @returns {string} */
function reason({ name, n, game }) {
  return n === null ? say("Game {game}: {what}", { game, what: WHY[name] }) : say("Game {game}, roll {n}: {what}", { game, n, what: WHY[name] });
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
    if (!record) return [notice("danger", say("The envelope belongs to a game that is not in this record."))];
    const password = (told.games ?? [told])[records.indexOf(record)].envelope_password;
    if (typeof password !== "string") return [notice("danger", say("The envelope opens when its game is over: then the record says how."))];
    const fits = await envelopeFits(envelope, password, record);
    return [fits ? notice("success", say("The sealed envelope holds the house's numbers of this game: they were fixed before the first roll.")) : notice("danger", say("The sealed envelope does not hold the house's numbers of this game."))];
  } catch (error) {
    return [notice("danger", say("This is not a record that can be checked: {why}", { why: error instanceof Error ? error.message : String(error) }))];
  }
}

/** Check a record and say what comes out. @param {string} source */
async function check(source) {
  if (!bgd1.isAvailable()) return show(notice("danger", say("This browser cannot calculate here: it does so on secure addresses (https) only. Use verify.py instead.")));
  show(element("p", "muted", say("Checking …")));
  let told, records;
  try {
    told = JSON.parse(source);
    records = readRecords(told);
  } catch (error) {
    return show(notice("danger", say("This is not a record that can be checked: {why}", { why: error instanceof Error ? error.message : String(error) })));
  }
  const failures = await verifyMatch(records);
  const games = [...(await envelopeVerdict(told, records)), ...records.map((each, at) => facts(each, at + 1))];
  if (!failures.length) return show(notice("success", say("Every roll is the one that was fixed before the game.")), ...games);
  const reasons = failures.map((failure) => element("li", "", reason(failure)));
  show(notice("danger", say("These dice are not the ones that were fixed before the game.")), element("ul", "fair-reasons card", ...reasons), ...games);
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
  if (!answer.ok) return show(notice("danger", say("The record of this match cannot be fetched.")));
  text.value = await answer.text();
  await check(text.value);
}

fetchNamed();
