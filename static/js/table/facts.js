// @ts-check
/** Score and stake: what the match stands at, what this game is about, what lies in escrow. */

import { byId, make, one, write, writeFact } from "./dom.js";
import { nameOf } from "./players.js";
import { levelsOf, sizeFor, stakeRows } from "./stakes.js";
import { say, sayCount, word } from "../say.js";
import { money } from "./text.js";
import { scoreOf, seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {[string, string, string]} Row  term, text, look */

/** @param {View} view @param {0|1|null} seat @param {number} watchers */
export function showFacts(view, seat, watchers) {
  const mine = scoreOf(view)[seatAt("me", seat)];
  const theirs = scoreOf(view)[seatAt("op", seat)];
  writeFact("mode", word("modes", view.mode));
  writeFact("game", view.game ? say("Game {game}", { game: view.game }) : "");
  writeFact("score-me", String(mine));
  writeFact("score-op", String(theirs));
  writeFact("score", `${mine} : ${theirs}`);
  writeFact("name-me", seat === null ? nameOf(view, "me", seat) : say("You"));
  writeFact("name-op", nameOf(view, "op", seat));
  writeFact("target", contestText(view));
  writeFact("rules", rulesText(view));
  writeFact("crawford", inCrawford(view) ? say("Crawford game: no doubling in this game") : "");
  one('[data-fact="crawford"]').hidden = !inCrawford(view);
  writeFact("watchers", watchers ? say("{count} watching", { count: watchers }) : "");
  showStake(view, seat);
}

/** Whether a Crawford game is being played. @param {View} view @returns {boolean} */
const inCrawford = (view) => view.crawford && !["between_games", "over", "closed"].includes(view.phase);

/** The goal of the match. @param {View} view @returns {string} */
function contestText(view) {
  const { contest, target_points, games_max } = view.terms;
  if (contest === "points") return sayCount("to {count} point", "to {count} points", { count: target_points });
  if (contest === "session") return say("until either stops");
  return contest === "games" ? sayCount("{count} game", "{count} games, most points win", { count: games_max }) : say("one game");
}

/** The optional rules by name. @type {Record<string, string>} */
const RULES = {
  holland: say("Holland rule"),
  jacoby: say("Jacoby rule"),
  max_five: say("Max five"),
  no_hit_and_run: say("No hit-and-run"),
  no_extra_roll: say("no extra roll after doubles"),
  beavers: say("Beavers"),
  raccoons: say("Raccoons"),
  auto_doubles: say("Automatic doubles"),
};

/** The variant, unless it is the usual one, and the optional rules. @param {View} view @returns {string} */
function rulesText(view) {
  const agreed = view.terms.rules.filter((rule) => rule !== "crawford").map((rule) => RULES[rule]);
  if (!view.rated && !view.terms.practice) agreed.push(say("unrated"));
  const variant = view.variant === "backgammon" ? [] : [word("variants", view.variant)];
  return [...variant, ...agreed].join(" · ");
}

/** @param {View} view @param {0|1|null} seat */
function showStake(view, seat) {
  const { terms } = view;
  const running = !["open", "closed", "over"].includes(view.phase);
  writeFact("stake", terms.stake_cents ? money(terms.stake_cents) : say("none"));
  writeFact("escrow", terms.stake_cents && running ? say("in escrow") : "");
  const [plain] = levelsOf(view, seatAt("me", seat));
  writeFact("now", plain ? sizeFor(view, plain, seatAt("me", seat)) : "");
  const name = nameOf(view, "me", seat);
  const names = seat === null
    ? { wins: say("{name} wins", { name }), loses: say("{name} loses", { name }) }
    : { wins: say("You win"), loses: say("You lose") };
  /** @type {Row[]} */
  const rows = [...stakeRows(view, seat, names), [say("Doubling cube"), cubeText(view, seat), ""]];
  if (terms.stake_cents) rows.push(["", "", "separator"], ...escrowRows(view));
  fill(byId("stake-facts"), rows);
}

/** The content of the escrow and its payout. @param {View} view @returns {Row[]} */
function escrowRows(view) {
  const { terms } = view;
  const stake = money(terms.stake_cents);
  if (view.banks_cents) {
    return [
      ...[0, 1].map((at) => /** @type {Row} */ ([bankName(view, at), money(view.banks_cents?.[at] ?? 0), ""])),
      [say("A point is worth"), money(terms.rate_cents), ""],
      [say("A game costs at most"), money(terms.game_limit_cents), ""],
      [say("Maximum loss"), money(terms.most_lost_cents), ""],
    ];
  }
  if (terms.rate_cents) {
    return [
      [say("A point is worth"), money(terms.rate_cents), ""],
      [say("Maximum loss"), money(terms.most_lost_cents), ""],
      [say("Rake (maximum)"), money(terms.rake_cents), ""],
    ];
  }
  return [
    [say("Stake per player"), stake, ""],
    [say("The winner gets"), money(terms.winner_cents), ""],
    [say("Rake"), money(terms.rake_cents), ""],
  ];
}

/** @param {View} view @param {number} at @returns {string} */
const bankName = (view, at) => say("Bank of {name}", { name: view.players[at]?.name ?? "…" });

/** @param {View} view @param {0|1|null} seat @returns {string} */
function cubeText(view, seat) {
  if (!view.terms.has_cube) return say("none");
  if (inCrawford(view)) return say("out of play (Crawford)");
  const { value, owner } = view.cube;
  if (owner === null) return say("{value} · in the middle", { value });
  if (owner === seat) return say("{value} · yours", { value });
  return say("{value} · {name}’s", { value, name: view.players[owner]?.name ?? "" });
}

/** @param {HTMLElement} list @param {Row[]} rows */
function fill(list, rows) {
  const cells = rows.flatMap(([term, text, look]) =>
    look === "separator" ? [make("div", "separator")] : [make("dt", look === "levels" ? "visually-hidden" : "", term), make("dd", look, text)],
  );
  const same = list.childElementCount === cells.length && cells.every((cell, i) => list.children[i].textContent === cell.textContent);
  if (!same) list.replaceChildren(...cells);
}

/** @param {HTMLElement} list @param {Row[]} rows */
export const fillFacts = fill;

/** The title of the page, with the player on turn. @param {View} view @param {0|1|null} seat @param {string} base */
export function showTitle(view, seat, base) {
  const mine = seat !== null && view.decider === seat;
  const versus = view.players.map((player) => player?.name ?? "…").join(" – ");
  document.title = `${mine ? `● ${say("Your turn")} · ` : ""}${versus} · ${base}`;
  write(byId("table-title"), say("Backgammon table: {names}", { names: versus }));
}
