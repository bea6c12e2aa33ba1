// @ts-check
/** Choices about several cubes at once: what may be chosen for each, what is chosen so far, and the command it leads to. */

import { say } from "../say.js";
import { hasOneCube } from "./onecube.js";
import { limited } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Offer} Offer */
/** @typedef {{value: string, label: string, under: string}} Option */
/** @typedef {{kind: "answers"|"accepts"|"doubles", key: string, rows: {player: number, options: Option[]}[]}} Pick  doubles: one option a row, which may stay off */

/** What the viewer is to choose for several cubes now; never where there is one. @param {View} view @returns {Pick|null} */
export function pickOf(view) {
  if (hasOneCube(view)) return null;
  const { box_answers, box_beaver_answers, box_doubles } = view.actions;
  const key = [view.game, view.turn, view.phase].join("/");
  if (box_answers) return { kind: "answers", key, rows: rowsOf(box_answers, (offer) => answersTo(view, offer)) };
  if (box_beaver_answers) return { kind: "accepts", key, rows: rowsOf(box_beaver_answers, (offer) => beaverAnswersTo(view, offer)) };
  if (box_doubles) return { kind: "doubles", key, rows: rowsOf(box_doubles, doubleOf) };
  return null;
}

/** @template {{player: number}} T @param {T[]} offers @param {(offer: T) => Option[]} options */
const rowsOf = (offers, options) => offers.map((offer) => ({ player: offer.player, options: options(offer) }));

/** @param {View} view @param {Offer} offer @returns {Option[]} */
function answersTo(view, { value, may_beaver }) {
  const answers = [
    { value: "drop", label: say("Drop"), under: say("lose {value}", { value: limited(view, value) }) },
    { value: "take", label: say("Take"), under: say("for {value}", { value: 2 * value }) },
  ];
  if (may_beaver) answers.push({ value: "beaver", label: say("Beaver"), under: say("for {value}", { value: 4 * value }) });
  return answers;
}

/** @param {View} view @param {import("./view.js").BeaverOffer} offer @returns {Option[]} */
function beaverAnswersTo(view, { value, lose }) {
  return [
    { value: "give_up", label: say("Give up"), under: say("lose {value}", { value: limited(view, lose) }) },
    { value: "play_on", label: say("Play on"), under: say("for {value}", { value }) },
  ];
}

/** @param {Offer} offer @returns {Option[]} */
const doubleOf = ({ value }) => [{ value: "double", label: say("Double to {value}", { value: 2 * value }), under: "" }];

/** What is chosen so far; a new decision begins without choices. */
export class Chosen {
  constructor() {
    this.key = "";
    /** @type {Map<number, string>} */
    this.by = new Map();
  }

  /** @param {Pick|null} pick */
  follow(pick) {
    if (pick?.key === this.key) return;
    this.key = pick?.key ?? "";
    this.by.clear();
  }

  /** @param {number} player @param {string} value  empty: nothing */
  set(player, value) {
    if (value) this.by.set(player, value);
    else this.by.delete(player);
  }

  /** Whether it can be sent. @param {Pick} pick @returns {boolean} */
  complete(pick) {
    return pick.kind === "doubles" || pick.rows.every(({ player }) => this.by.has(player));
  }

  /** @param {Pick} pick @param {number} turn @returns {import("../table/session.js").Command} */
  command({ kind, rows }, turn) {
    const players = rows.map(({ player }) => player);
    if (kind === "doubles") return { type: "box_doubles", turn, players: players.filter((player) => this.by.has(player)) };
    if (kind === "answers") return { type: "box_answers", turn, answers: Object.fromEntries(players.map((player) => [player, this.by.get(player)])) };
    const accepts = players.map((player) => [player, this.by.get(player) === "play_on"]);
    return { type: "box_beaver_answers", turn, accepts: Object.fromEntries(accepts) };
  }
}

/**
 * What the box plays for after these choices: the value of each cube that is still in the game. Where nothing is chosen
 * yet, a double is taken.
 * @param {View} view @param {Chosen} chosen @returns {number[]}
 */
export function atStake(view, chosen) {
  return view.cubes.flatMap((cube) => {
    const choice = chosen.by.get(cube.player);
    if (cube.settled || choice === "drop" || choice === "give_up") return [];
    if (choice === "beaver") return [4 * cube.value];
    const doubled = choice !== undefined || cube.state === "offered" || cube.state === "beavered";
    return [doubled ? 2 * cube.value : cube.value];
  });
}
