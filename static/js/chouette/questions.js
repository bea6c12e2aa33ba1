// @ts-check
/** What the viewer is asked now: a title, what each answer means, and the answers. */

import { say } from "../table/text.js";
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
  if (view.closed) return { key: "closed", title: say("closed"), text: say("closed_text"), urgent: false, choices: [], ends_ms: null };
  return isRunning(view) ? null : betweenGames(view);
}

/** @typedef {Pick_<Question, "title"|"text"|"choices">} Asked */
/** @template T @template {keyof T} K @typedef {{[P in K]: T[P]}} Pick_ */

/** @param {View} view @returns {Asked|null} */
function aboutOwnCube(view) {
  const { decide, answer, beaver_answer } = view.actions;
  if (decide) return doubleNow(view, decide.value, "double_question", "decided_in_secret");
  if (answer) return answered(view, answer);
  if (beaver_answer) return beavered(view, beaver_answer);
  return null;
}

/** @param {View} view @param {NonNullable<import("./view.js").Actions["answer"]>} offer @returns {Asked} */
function answered(view, { value, may_beaver, may_take, take_may_return }) {
  const { turn } = view;
  /** @type {Choice[]} */
  const choices = [{ name: "drop", label: say("drop"), sure: say("drop_sure"), look: "danger", command: { type: "answer", turn, answer: "drop" } }];
  if (may_beaver) choices.push({ name: "beaver", label: say("beaver_to", { value: 4 * value }), look: may_take ? "" : "primary", command: { type: "answer", turn, answer: "beaver" } });
  if (may_take) choices.push({ name: "take", label: say("take"), look: "primary", command: { type: "answer", turn, answer: "take" } });
  const name = moverOf(view, "box")?.name ?? say("somebody");
  return {
    title: say("doubles_to", { name, value: 2 * value }),
    text: may_take
      ? [say("answer_means", { taken: worth(view, 2 * value), lost: worth(view, value) }), take_may_return ? say("take_may_return") : ""].filter(Boolean).join(" ")
      : say("alone_means", { taken: worth(view, 4 * value), lost: worth(view, value) }),
    choices,
  };
}

/** @param {View} view @param {{value: number, lose: number}} beaver @returns {Asked} */
function beavered(view, { value, lose }) {
  const { turn } = view;
  const name = moverOf(view, "box")?.name ?? say("somebody");
  return {
    title: say("beavers_to", { name, value }),
    text: say("beaver_means", { value: worth(view, value), lost: worth(view, lose) }),
    choices: [
      { name: "drop", label: say("give_up"), sure: say("give_up_sure"), look: "danger", command: { type: "beaver_answer", turn, accepts: false } },
      { name: "take", label: say("play_on"), look: "primary", command: { type: "beaver_answer", turn, accepts: true } },
    ],
  };
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
  const verb = pick.kind === "answers" ? "they_double" : "they_beaver";
  return {
    title: count > 2 ? say(`${verb}_many`, { number: count }) : say(verb, { count, names }),
    text: `${say(count === 1 ? "choose_answer" : "choose_answers")} ${say("chosen", { done, count })}`,
    choices: [{ name: "send", label: say("send_answers", { count }), look: "primary", off: !chosen.complete(pick), command }],
  };
}

/** @param {Chosen} chosen @param {Command} command @returns {Asked} */
function boxDoubles(chosen, command) {
  const count = chosen.by.size;
  /** @type {Choice} */
  const none = { name: "no_double", label: say("no_double"), look: "primary", command: { ...command, players: [] } };
  /** @type {Choice} */
  const some = { name: "double", label: say("double_cubes", { count }), sure: say("double_cubes_sure", { count }), look: "primary", command };
  return { title: say("box_doubles_question"), text: say("box_doubles_text"), choices: count ? [{ ...none, look: "" }, some] : [none] };
}

/** @param {View} view @returns {Question} */
function betweenGames(view) {
  const [last] = view.games;
  const seated = view.people.length;
  const waiting = view.next_game_ms === null;
  const missing = Math.max(0, 3 - seated);
  const result = last && last.number === view.game ? `${resultText(view, last)} ` : "";
  const next = waiting ? (missing ? say("people_missing", { count: missing }) : "") : say("next_game_soon");
  return {
    key: `between/${view.game}`,
    title: view.game ? say("game_over", { game: view.game }) : say("people_here", { count: seated }),
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
  if (invite_bot) choices.push({ name: "invite_bot", label: say("invite_bot"), look: "", command: { type: "invite_bot" } });
  if (sit && !isSeated(view)) choices.push({ name: "sit", label: say("sit_down"), look: "primary", command: null });
  if (start) choices.push({ name: "start", label: say("start_now"), look: "primary", command: { type: "start" } });
  return choices;
}

/** "dimitra (box): ozan +2, nuria −1". @param {View} view @param {import("./view.js").GameResult} game @returns {string} */
export function resultText(view, { box, results, voided }) {
  if (voided) return say(view.terms.rate_cents ? "result_voided" : "result_voided_free");
  const members = results.map(({ player, box_points }) => `${called(view, player)} ${plus(-box_points)}`);
  const won = results.reduce((sum, { box_points }) => sum + box_points, 0);
  return say("result_of_game", { box: box === view.me ? say("you") : nameOf(view, box), points: plus(won), members: members.join(", ") });
}
