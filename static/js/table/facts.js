// @ts-check
/** Score and stake: what the match stands at, what this game is about, what lies in escrow. */

import { byId, make, one, write, writeFact } from "./dom.js";
import { nameOf } from "./players.js";
import { money, say } from "./text.js";
import { exposure, seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */

/** @param {View} view @param {0|1|null} seat @param {number} watchers */
export function showFacts(view, seat, watchers) {
  const mine = view.score[seatAt("me", seat)];
  const theirs = view.score[seatAt("op", seat)];
  writeFact("mode", say(`mode_${view.mode}`));
  writeFact("game", view.game ? say("game_number", { game: view.game }) : "");
  writeFact("score-me", String(mine));
  writeFact("score-op", String(theirs));
  writeFact("score", `${mine} : ${theirs}`);
  writeFact("name-me", seat === null ? nameOf(view, "me", seat) : say("you"));
  writeFact("name-op", nameOf(view, "op", seat));
  writeFact("target", view.terms.target_points ? say("to_points", { count: view.terms.target_points }) : "");
  writeFact("crawford", view.crawford ? say("crawford_game") : "");
  one('[data-fact="crawford"]').hidden = !view.crawford;
  writeFact("watchers", watchers ? say("watchers", { count: watchers }) : "");
  showStake(view, seat);
}

/** @param {View} view @param {0|1|null} seat */
function showStake(view, seat) {
  const { terms } = view;
  const open = view.phase === "open";
  const stake = terms.stake_cents ? money(terms.stake_cents) : say("no_stake");
  writeFact("stake", stake);
  writeFact("escrow", terms.stake_cents && !["open", "closed", "over"].includes(view.phase) ? say("in_escrow") : "");
  const risk = exposure(view, seat);
  writeFact("now", say("points", { count: risk.now }));
  /** @type {[string, string, string][]} */
  const rows = [[say("this_game"), say("points", { count: risk.now }), "hot"]];
  rows.push([say("gammon_backgammon"), `${risk.gammon} / ${risk.backgammon}`, ""]);
  if (risk.afterTake) {
    rows.push([say("after_take"), say("after_take_value", { single: risk.afterTake, gammon: 2 * risk.afterTake }), ""]);
  }
  rows.push([say("cube"), cubeText(view, seat), ""]);
  if (terms.stake_cents) {
    rows.push(["", "", "separator"]);
    rows.push([say(open ? "stake_each" : "your_stake"), stake, ""]);
    rows.push([say("winner_gets"), money(terms.winner_cents), ""]);
    rows.push([say("rake"), money(terms.rake_cents), ""]);
  }
  fill(byId("stake-facts"), rows);
}

/** @param {View} view @param {0|1|null} seat @returns {string} */
function cubeText(view, seat) {
  if (!view.terms.has_cube) return say("no_cube");
  if (view.crawford) return say("cube_rests");
  const { value, owner } = view.cube;
  if (owner === null) return say("cube_middle", { value });
  if (owner === seat) return say("cube_mine", { value });
  return say("cube_of", { value, name: view.players[owner]?.name ?? "" });
}

/** @param {HTMLElement} list @param {[string, string, string][]} rows */
function fill(list, rows) {
  const cells = rows.flatMap(([term, text, look]) =>
    look === "separator" ? [make("div", "separator")] : [make("dt", "", term), make("dd", look, text)],
  );
  const same = list.childElementCount === cells.length && cells.every((cell, i) => list.children[i].textContent === cell.textContent);
  if (!same) list.replaceChildren(...cells);
}

/** @param {HTMLElement} list @param {[string, string, string][]} rows */
export const fillFacts = fill;

/** The title of the page says whose turn it is. @param {View} view @param {0|1|null} seat @param {string} base */
export function showTitle(view, seat, base) {
  const mine = seat !== null && view.decider === seat;
  const versus = view.players.map((player) => player?.name ?? "…").join(" – ");
  document.title = `${mine ? `● ${say("your_turn")} · ` : ""}${versus} · ${base}`;
  write(byId("table-title"), say("title", { names: versus }));
}
