// @ts-check
/**
 * The line of the end card about the player's own mistakes: while the first look is made, then how many there were,
 * with a link to the costliest. The look takes a few seconds; nothing waits for it.
 */

import { byId, one, write } from "./dom.js";
import { say, sayCount } from "../say.js";

/** @typedef {{state: string, mistakes?: number, pr?: string, worst?: string}} Found */

/** Seconds between two questions; after the last one the line says that it takes longer. */
const WAITS = [1, 1, 1, 2, 2, 2, 3, 3, 5, 5, 10, 10, 15, 15];

/** The match that the line is about. */
let shown = "";

/** @param {import("./view.js").View} view @param {0|1|null} seat */
export function showMistakes(view, seat) {
  const match = String(view.match_id ?? "");
  if (match === shown) return;
  shown = match;
  byId("result-mistakes").hidden = true;
  if (match && seat !== null && !byId("result-analysis").hidden) void look(match);
}

/** @param {string} match */
async function look(match) {
  const page = `/match/${match}/analysis/`;
  for (const seconds of WAITS) {
    const found = await asked(`${page}?part=mistakes`);
    if (match !== shown) return;
    if (found.state === "done") return tell(page, found);
    if (["failed", "unsupported", "unasked"].includes(found.state)) {
      byId("result-mistakes").hidden = true;
      return;
    }
    line(say("Your play is being looked at …"), page, "");
    await new Promise((done) => setTimeout(done, 1000 * seconds));
    if (match !== shown) return;
  }
  line(say("Your play is looked at later."), page, say("Analysis"));
}

/** A house that does not answer is asked again; what is no answer of its own ends the asking. @param {string} address @returns {Promise<Found>} */
async function asked(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer || answer.status >= 500) return { state: "" };
  const isAnswer = answer.ok && answer.headers.get("content-type")?.startsWith("application/json");
  return isAnswer ? answer.json() : { state: "failed" };
}

/** @param {string} page @param {Found} found */
function tell(page, { mistakes = 0, pr = "", worst = "" }) {
  const count = mistakes
    ? sayCount("{count} mistake", "{count} mistakes", { count: mistakes })
    : say("No mistakes");
  const text = pr ? say("{mistakes}, PR {pr}.", { mistakes: count, pr }) : `${count}.`;
  if (worst) line(text, `${page}?d=${worst}`, say("Look at the costliest"));
  else line(text, page, say("Look at the analysis"));
}

/** @param {string} text @param {string} href @param {string} words */
function line(text, href, words) {
  const root = byId("result-mistakes");
  const link = /** @type {HTMLAnchorElement} */ (one("a", root));
  write(one("span", root), text);
  write(link, words);
  link.href = href;
  link.hidden = !words;
  root.hidden = false;
}
