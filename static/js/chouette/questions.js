// @ts-check
/** What the viewer is asked now: a title, what each answer means, and the answers. */

import { say, sayCount } from "../say.js";
import { called, isRunning, isSeated, moverOf, nameOf, namesOf, plus, worth } from "./view.js";
import { aboutOneCube, doubleNow } from "./onecube.js";
import { pickOf } from "./picks.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../table/session.js").Command} Command */
/** @typedef {import("./picks.js").Pick} Pick */
/** @typedef {import("./picks.js").Chosen} Chosen */

/**
 * @typedef {object} Choice
 * @property {string} name
 * @property {string} label
 * @property {"primary"|"danger"|""} look
 * @property {Command|null} command  null: what the page opens a dialog for
 * @property {string} [sure]  the label with which it asks again
 * @property {boolean} [off]  cannot be chosen yet
 */

/** @typedef {{key: string, title: string, text: string, urgent: boolean, choices: Choice[], ends_ms: number|null}} Question */

/** @param {View} view @param {Chosen} chosen @returns {Question|null} */
export function questionFor(view, chosen) {
  const asked = aboutOneCube(view) ?? aboutOwnCube(view) ?? aboutCubes(view, chosen);
  if (asked) return { ...asked, key: [view.game, view.turn, view.phase].join("/"), urgent: true, ends_ms: view.deadline_ms };
  if (view.closed) return { key: "closed", title: say("This table is closed"), text: say("Nobody plays here any more. The points stay as they are."), urgent: false, choices: [], ends_ms: null };
  return isRunning(view) ? null : betweenGames(view);
}

/** @typedef {Pick_<Question, "title"|"text"|"choices">} Asked */
/** @template T @template {keyof T} K @typedef {{[P in K]: T[P]}} Pick_ */

/** @param {View} view @returns {Asked|null} */
function aboutOwnCube(view) {
  const { decide, answer, beaver_answer } = view.actions;
  if (decide) return doubleNow(view, decide.value, say("Your cube: double to {value}?", { value: 2 * decide.value }), say("Nobody sees your choice before all have chosen."));
  if (answer) return answered(view, answer);
  if (beaver_answer) return beavered(view, beaver_answer);
  return null;
}

/** @param {View} view @param {NonNullable<import("./view.js").Actions["answer"]>} offer @returns {Asked} */
function answered(view, { value, may_beaver, may_take, take_may_return }) {
  const { turn } = view;
  /** @type {Choice[]} */
  const choices = [{ name: "drop", label: say("Drop"), sure: say("Really drop?"), look: "danger", command: { type: "answer", turn, answer: "drop" } }];
  if (may_beaver) choices.push({ name: "beaver", label: say("Beaver to {value}", { value: 4 * value }), look: may_take ? "" : "primary", command: { type: "answer", turn, answer: "beaver" } });
  if (may_take) choices.push({ name: "take", label: say("Take"), look: "primary", command: { type: "answer", turn, answer: "take" } });
  const name = moverOf(view, "box")?.name ?? say("somebody");
  return {
    title: say("{name} doubles to {value}", { name, value: 2 * value }),
    text: may_take
      ? [say("Take: you play for {taken}. Drop: you lose {lost} and are out.", { taken: worth(view, 2 * value), lost: worth(view, value) }), take_may_return ? say("If all others drop, you beaver or drop.") : ""].filter(Boolean).join(" ")
      : say("All others are out. Beaver: you play for {taken}. Drop: you lose {lost} and are out.", { taken: worth(view, 4 * value), lost: worth(view, value) }),
    choices,
  };
}

/** @param {View} view @param {{value: number, lose: number}} beaver @returns {Asked} */
function beavered(view, { value, lose }) {
  const { turn } = view;
  const name = moverOf(view, "box")?.name ?? say("somebody");
  return {
    title: say("{name} beavers to {value}", { name, value }),
    text: say("Play on for {value}, or give up {lost}.", { value: worth(view, value), lost: worth(view, lose) }),
    choices: [
      { name: "drop", label: say("Give up"), sure: say("Really give up?"), look: "danger", command: { type: "beaver_answer", turn, accepts: false } },
      { name: "take", label: say("Play on"), look: "primary", command: { type: "beaver_answer", turn, accepts: true } },
    ],
  };
}

/** @param {number} count @param {string} names @returns {string} */
function theyDouble(count, names) {
  return count > 2 ? say("{number} players double", { number: count }) : sayCount("{names} doubles", "{names} double", { count, names });
}

/** @param {number} count @param {string} names @returns {string} */
function theyBeaver(count, names) {
  return count > 2 ? say("{number} players answer with beavers", { number: count }) : sayCount("{names} answers with a beaver", "{names} answer with beavers", { count, names });
}

/** @param {View} view @param {Chosen} chosen @returns {Asked|null} */
function aboutCubes(view, chosen) {
  const pick = pickOf(view);
  if (!pick) return null;
  const command = chosen.command(pick, view.turn);
  if (pick.kind === "doubles") return boxDoubles(chosen, command);
  const count = pick.rows.length;
  const done = pick.rows.filter(({ player }) => chosen.by.has(player)).length;
  const names = namesOf(view, pick.rows.map(({ player }) => player));
  return {
    title: pick.kind === "answers" ? theyDouble(count, names) : theyBeaver(count, names),
    text: `${count === 1 ? say("Choose an answer for the cube.") : say("Choose an answer for each cube. All go out together.")} ${say("{done} of {count} chosen.", { done, count })}`,
    choices: [{ name: "send", label: sayCount("Send the answer", "Send {count} answers", { count }), look: "primary", off: !chosen.complete(pick), command }],
  };
}

/** @param {Chosen} chosen @param {Command} command @returns {Asked} */
function boxDoubles(chosen, command) {
  const count = chosen.by.size;
  /** @type {Choice} */
  const none = { name: "no_double", label: say("No double"), look: "primary", command: { ...command, players: [] } };
  /** @type {Choice} */
  const some = { name: "double", label: sayCount("Double {count} cube", "Double {count} cubes", { count }), sure: sayCount("Really double {count} cube?", "Really double {count} cubes?", { count }), look: "primary", command };
  return { title: say("Do you double?"), text: say("Choose the cubes to double. After the answers you roll."), choices: count ? [{ ...none, look: "" }, some] : [none] };
}

/** @param {View} view @returns {Question} */
function betweenGames(view) {
  const [last] = view.games;
  const seated = view.people.length;
  const waiting = view.next_game_ms === null;
  const missing = Math.max(0, 3 - seated);
  const result = last && last.number === view.game ? `${resultText(view, last)} ` : "";
  const next = waiting ? (missing ? sayCount("{count} more player is needed to begin.", "{count} more players are needed to begin.", { count: missing }) : "") : say("The next game begins by itself.");
  return {
    key: `between/${view.game}`,
    title: view.game ? say("Game {game} is over", { game: view.game }) : sayCount("{count} player is here", "{count} players are here", { count: seated }),
    text: `${result}${next}`,
    urgent: false,
    choices: betweenChoices(view),
    ends_ms: view.next_game_ms,
  };
}

/** @param {View} view @returns {Choice[]} */
function betweenChoices(view) {
  const { invite_bot, sit, start } = view.actions;
  /** @type {Choice[]} */
  const choices = [];
  if (invite_bot) choices.push({ name: "invite_bot", label: say("Add a house bot"), look: "", command: { type: "invite_bot" } });
  if (sit && !isSeated(view)) choices.push({ name: "sit", label: say("Sit down"), look: "primary", command: null });
  if (start) choices.push({ name: "start", label: say("Start now"), look: "primary", command: { type: "start" } });
  return choices;
}

/** "dimitra (box): ozan +2, nuria −1". @param {View} view @param {import("./view.js").GameResult} game @returns {string} */
export function resultText(view, { box, results, voided }) {
  if (voided) return view.terms.rate_cents ? say("The game was voided: nobody won a point, and all stakes went back.") : say("The game was voided: nobody won a point.");
  const members = results.map(({ player, box_points }) => `${called(view, player)} ${plus(-box_points)}`);
  const won = results.reduce((sum, { box_points }) => sum + box_points, 0);
  return say("{box} (box) {points}, {members}.", { box: box === view.me ? say("You") : nameOf(view, box), points: plus(won), members: members.join(", ") });
}
