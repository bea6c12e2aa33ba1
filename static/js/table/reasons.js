// @ts-check
/** Why something is not possible now, in words; the reasons come with the view (docs/protocol.md, "Reasons"). */

import { moment } from "../dates.js";
import { filled, say, word } from "../say.js";
import { levelName } from "./text.js";

/** @typedef {import("./view.js").View} View */

/** Refusals whose reason says more than their code. */
const EXPLAINED = new Set(["wrong_phase", "not_your_turn", "may_not_double", "may_not_resign", "match_over"]);

/** Why a game for credits may not begin, beside credits that do not suffice. */
const NO_STAKES = new Set(["limit_reached", "play_paused", "no_stakes", "stakes_stopped", "account_frozen", "credits_held"]);

/** Why a player may not do something, short enough for a line on a phone. @type {Record<import("../types/frames.js").Reason, string>} */
const WHY = {
  no_cube: say("there is no cube."),
  not_yours: say("you do not own the cube."),
  first_turn: say("it is the first turn of the game."),
  crawford: say("it is the Crawford game."),
  holland: say("Holland rule, both roll twice first."),
  cap: say("the cube is at its highest value."),
  dead: say("winning this game wins the match anyway."),
  limit: say("the cube has reached the limit."),
  not_agreed: say("it was not agreed."),
  not_your_turn: say("it is not your turn."),
  waiting_for_answer: say("your opponent has to answer."),
  waiting_for_dice: say("the dice are on their way."),
  roll_first: say("roll first."),
  dice_on_board: say("you have rolled already."),
  name_first: say("choose a double first."),
  answer_first: say("answer the offer first."),
  no_offer: say("nothing was offered."),
  nothing_to_name: say("there is no double to choose."),
  no_opponent: say("your opponent hasn’t sat down yet."),
  before_first_roll: say("the first roll hasn’t been made yet."),
  dice_have_fallen: say("the dice have already been rolled."),
  game_running: say("the game is still being played."),
  between_games: say("the next game has not begun yet."),
  already_ready: say("you are ready already."),
  match_running: say("the match is still being played."),
  already_offered: say("you have offered it already."),
  match_over: say("the match is over."),
  table_closed: say("the table is closed."),
  refused_level: say("already refused this turn."),
  jacoby: say("counts only after a double (Jacoby)."),
  out_of_reach: say("you cannot lose that much any more."),
  decided: say("a lower result gives as much."),
  no_such_level: say("isn’t possible in this variant."),
  nobody_absent: say("your opponent is here."),
  too_early: say("your opponent may still come back."),
  only_in_practice: say("only in practice."),
  nothing_to_take_back: say("there is nothing to take back."),
};

/** @param {string} reason @returns {string} */
const words = (reason) => WHY[/** @type {import("../types/frames.js").Reason} */ (reason)];

/**
 * The line by the dice: why the house rolled by itself, or why there is no double.
 * @param {View} view @param {0|1|null} seat @returns {string}
 */
export function whyLine(view, seat) {
  if (seat === null) return "";
  const noDouble = view.why_not[seat].double;
  const rolled = view.on_roll === seat ? view.auto_roll_because : null;
  if (rolled && rolled !== "no_cube") return say("Rolled automatically: {reason}", { reason: words(rolled) });
  if (view.decider !== seat) return "";
  const asks = view.phase === "roll" && noDouble && noDouble !== "no_cube";
  return asks ? say("No double: {reason}", { reason: words(noDouble) }) : "";
}

/** Why nothing can be taken back, in practice: the description of the button. @param {View} view @param {0|1|null} seat @returns {string} */
export function noTakeBack(view, seat) {
  const reason = seat === null ? "" : view.why_not[seat].take_back;
  return reason === "nothing_to_take_back" ? say("Nothing to take back.") : "";
}

/** Why an offered cube cannot be turned once more where that was agreed. @param {View} view @param {0|1|null} seat @returns {string} */
export function noBeaver(view, seat) {
  const { beaver, raccoon } = seat === null ? {} : view.why_not[seat];
  if (beaver === "cap") return say("No beaver: {reason}", { reason: words(beaver) });
  return raccoon === "cap" ? say("No raccoon: {reason}", { reason: words(raccoon) }) : "";
}

/** Why I may not resign now. @param {View} view @param {0|1|null} seat @returns {string} */
export function noResigning(view, seat) {
  const reason = seat === null ? undefined : view.why_not[seat].offer_resignation;
  return reason ? say("No resigning: {reason}", { reason: words(reason) }) : "";
}

/**
 * The levels that cannot be offered, with the reason; in games with many levels only those that could still be lost.
 * @param {View} view @returns {{value: number, text: string, disabled: true}[]}
 */
export function refusedLevels(view) {
  return Object.entries(view.refused_levels)
    .filter(([level, reason]) => Number(level) <= 3 || reason !== "out_of_reach")
    .map(([level, reason]) => ({
      value: Number(level),
      text: say("{level}: {reason}", { level: levelName(view.variant, Number(level)), reason: words(reason) }),
      disabled: true,
    }));
}

/** The words for a refused command. @param {string} code @param {string} [reason] @param {number} [until_ms] @returns {string} */
export function refusal(code, reason, until_ms) {
  if (code === "insufficient_credits" && reason && NO_STAKES.has(reason)) return word("no_stakes", reason);
  return reason && EXPLAINED.has(code) ? say("Not possible now: {reason}", { reason: words(reason) }) : filled(word("refused", code), { until: until_ms ? moment(until_ms) : "" });
}
