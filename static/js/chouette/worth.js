// @ts-check
/** Points in words, where there are credits with their worth. */

import { money, say } from "../table/text.js";

/** @typedef {import("./view.js").View} View */

/** What so many points between two players come to: with credits there is a limit. @param {View} view @param {number} points @returns {number} */
export function limited({ terms }, points) {
  return terms.rate_cents && terms.limit_points ? Math.min(points, terms.limit_points) : points;
}

/** "2 points (1.00 ℂ)". @param {View} view @param {number} points @returns {string} */
export function worth(view, points) {
  const count = limited(view, points);
  const text = say("points", { count });
  return view.terms.rate_cents ? say("with_amount", { text, amount: money(count * view.terms.rate_cents).replace(" ", "\u00a0") }) : text;
}

/** 2 → "+2", −2 → "−2", 0 → "0". @param {number} points @returns {string} */
export const plus = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");
