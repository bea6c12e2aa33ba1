// @ts-check
/** Why something is not possible now, in words; the reasons come with the view (docs/protocol.md, "Reasons"). */

import { moment } from "../dates.js";
import { levelName, say } from "./text.js";

/** @typedef {import("./view.js").View} View */

/** Refusals whose reason says more than their code. */
const EXPLAINED = new Set(["wrong_phase", "not_your_turn", "may_not_double", "may_not_resign", "match_over"]);

/** Why a game for credits may not begin, beside credits that do not suffice. */
const NO_STAKES = new Set(["limit_reached", "play_paused", "no_stakes", "stakes_stopped", "account_frozen", "credits_held"]);

/** @param {string} reason @returns {string} */
const words = (reason) => say(`why_${reason}`);

/**
 * The line by the dice: why the house rolled by itself, or why there is no double.
 * @param {View} view @param {0|1|null} seat @returns {string}
 */
export function whyLine(view, seat) {
  if (seat === null) return "";
  const noDouble = view.why_not[seat].double;
  const rolled = view.on_roll === seat ? view.auto_roll_because : null;
  if (rolled && rolled !== "no_cube") return say("auto_rolled", { reason: words(rolled) });
  if (view.decider !== seat) return "";
  const asks = view.phase === "roll" && noDouble && noDouble !== "no_cube";
  return asks ? say("why_no_double", { reason: words(noDouble) }) : "";
}

/** Why nothing can be taken back, in practice: the description of the button. @param {View} view @param {0|1|null} seat @returns {string} */
export function noTakeBack(view, seat) {
  const reason = seat === null ? "" : view.why_not[seat].take_back;
  return reason === "nothing_to_take_back" ? say("why_no_take_back") : "";
}

/** Why an offered cube cannot be turned once more where that was agreed. @param {View} view @param {0|1|null} seat @returns {string} */
export function noBeaver(view, seat) {
  const { beaver, raccoon } = seat === null ? {} : view.why_not[seat];
  if (beaver === "cap") return say("why_no_beaver", { reason: words(beaver) });
  return raccoon === "cap" ? say("why_no_raccoon", { reason: words(raccoon) }) : "";
}

/** Why I may not resign now. @param {View} view @param {0|1|null} seat @returns {string} */
export function noResigning(view, seat) {
  const reason = seat === null ? undefined : view.why_not[seat].offer_resignation;
  return reason ? say("why_no_resigning", { reason: words(reason) }) : "";
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
      text: say("why_no_level", { level: levelName(view.variant, Number(level)), reason: words(reason) }),
      disabled: true,
    }));
}

/** The words for a refused command. @param {string} code @param {string} [reason] @param {number} [until_ms] @returns {string} */
export function refusal(code, reason, until_ms) {
  if (code === "insufficient_credits" && reason && NO_STAKES.has(reason)) return say(`rejected_stake_${reason}`);
  return reason && EXPLAINED.has(code) ? say("not_possible", { reason: words(reason) }) : say(`rejected_${code}`, { until: until_ms ? moment(until_ms) : "" });
}
