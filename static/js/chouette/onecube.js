// @ts-check
/** One cube for the whole team: where it lies, and what its captain and the box are asked about it. */

import { say, sayCount } from "../say.js";
import { limited, moverOf, worth } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").MemberCube} MemberCube */
/** @typedef {import("./view.js").Offer} Offer */
/** @typedef {import("./questions.js").Asked} Asked */
/** @typedef {import("./questions.js").Choice} Choice */

/** @param {View} view @returns {boolean} */
export const hasOneCube = ({ terms }) => terms.cubes === "one";

/** The cube of the team; null once nobody is in the game. While members answer, it is that of those who have not. @param {View} view @returns {MemberCube|null} */
export function cubeOfTeam({ cubes }) {
  const inGame = cubes.filter(({ settled }) => !settled);
  return inGame.find(({ state }) => state === "offered") ?? inGame[0] ?? null;
}

/** @param {View} view @returns {Asked|null} */
export function aboutOneCube(view) {
  if (!hasOneCube(view)) return null;
  const { decide, box_answers, box_doubles } = view.actions;
  if (decide) return doubleNow(view, decide.value, say("The cube of the team: double to {value}?", { value: 2 * decide.value }), say("You decide for the whole team."));
  if (box_answers) return boxAnswers(view, box_answers);
  if (box_doubles) return boxDoubles(view, box_doubles);
  return null;
}

/** Whether to double now. @param {View} view @param {number} value @param {string} title @param {string} note @returns {Asked} */
export function doubleNow(view, value, title, note) {
  const { turn } = view;
  const gammon = limited(view, 4 * value);
  const text = say("Now: {now}. After a take: {taken}, with a gammon {gammon}.", { now: worth(view, value), taken: worth(view, 2 * value), gammon });
  return {
    title,
    text: `${text} ${note}`,
    choices: choicesToDouble(value, { type: "decide", turn, doubles: true }, { type: "decide", turn, doubles: false }),
  };
}

/** @param {View} view @param {Offer[]} offers @returns {Asked} */
function boxDoubles(view, offers) {
  const { turn } = view;
  const players = offers.map(({ player }) => player);
  const { value } = offers[0];
  return {
    title: say("Do you double the team to {value}?", { value: 2 * value }),
    text: sayCount("Your opponent takes or drops. After the answer you roll.", "Each of {count} takes or drops alone. After the answers you roll.", { count: players.length }),
    choices: choicesToDouble(value, { type: "box_doubles", turn, players }, { type: "box_doubles", turn, players: [] }),
  };
}

/** @param {number} value @param {import("../table/session.js").Command} doubles @param {import("../table/session.js").Command} not @returns {Choice[]} */
function choicesToDouble(value, doubles, not) {
  const sure = say("Really double to {value}?", { value: 2 * value });
  return [
    { name: "double", label: say("Double to {value}", { value: 2 * value }), sure, look: "", command: doubles },
    { name: "no_double", label: say("No double"), look: "primary", command: not },
  ];
}

/** @param {View} view @param {Offer[]} offers @returns {Asked} */
function boxAnswers(view, offers) {
  const { turn } = view;
  const { value } = offers[0];
  const count = offers.length;
  const all = (/** @type {string} */ answer) => Object.fromEntries(offers.map(({ player }) => [player, answer]));
  const name = moverOf(view, "team")?.name ?? say("somebody");
  return {
    title: say("{name} doubles for the team: to {value}", { name, value: 2 * value }),
    text: sayCount("Take: you play on for {taken}. Drop: you lose {lost}, and the game is over.", "Take: you play on for {taken} against each of {count}. Drop: you lose {lost} to each of them, and the game is over.", { count, taken: worth(view, 2 * value), lost: worth(view, value) }),
    choices: [
      { name: "drop", label: say("Drop"), sure: say("Really drop?"), look: "danger", command: { type: "box_answers", turn, answers: all("drop") } },
      { name: "take", label: say("Take"), look: "primary", command: { type: "box_answers", turn, answers: all("take") } },
    ],
  };
}
