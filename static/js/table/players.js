// @ts-check
/** The strip of each player: name, strength, rating, points, pips, presence. */

import { element } from "../../board/svg.js";
import { one, write } from "./dom.js";
import { say, sayCount, word } from "../say.js";
import { rating, signed } from "./text.js";
import { scoreOf, seatAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../../board/geometry.js").Side} Side */

const TIERS = ["#8f98a3", "#b4783f", "#b9c2cc", "#e0b23c", "#49b0a0", "#b583e8"];
const LOW = 5.5;
const MID = 10;
const HIGH = 14.5;
/** @type {[number, number][][]} */
const PIPS = [
  [[MID, MID]],
  [[LOW, HIGH], [HIGH, LOW]],
  [[LOW, HIGH], [MID, MID], [HIGH, LOW]],
  [[LOW, LOW], [LOW, HIGH], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, HIGH], [MID, MID], [HIGH, LOW], [HIGH, HIGH]],
  [[LOW, LOW], [LOW, MID], [LOW, HIGH], [HIGH, LOW], [HIGH, MID], [HIGH, HIGH]],
];

const STRENGTHS = [say("Beginner"), say("Improver"), say("Solid"), say("Strong"), say("Expert"), say("Master")];

/** A strength group as a die face, distinguished by colour, pips and label. @param {number} group @returns {SVGElement} */
function strengthSymbol(group) {
  const label = say("Strength {group} of 6: {name}", { group, name: STRENGTHS[group - 1] });
  const ink = "#15110e";
  return element(
    "svg", { class: "strength", viewBox: "0 0 20 20", width: 20, height: 20, role: "img", "aria-label": label },
    element("title", {}, label),
    element("rect", { x: 1, y: 1, width: 18, height: 18, rx: 4.5, fill: TIERS[group - 1], stroke: ink, "stroke-width": 1.6 }),
    element("g", { fill: ink }, ...PIPS[group - 1].map(([cx, cy]) => element("circle", { cx, cy, r: 1.9 }))),
  );
}

/** @param {Side} side @returns {HTMLElement} */
export const strip = (side) => one(`[data-player="${side}"]`);

/** @param {HTMLElement} root @param {string} name @returns {HTMLElement} */
export const slot = (root, name) => one(`[data-slot="${name}"]`, root);

/** The name to show for a side. @param {View} view @param {Side} side @param {0|1|null} seat @returns {string} */
export function nameOf(view, side, seat) {
  return view.players[seatAt(side, seat)]?.name ?? say("Empty seat");
}

/**
 * @param {View} view @param {0|1|null} seat
 * @param {{me: number, op: number}|null} draftPips  pips after the moves tried out so far
 */
export function showPlayers(view, seat, draftPips) {
  const near = seatAt("me", seat);
  const shown = draftPips ?? { me: view.pips[near], op: view.pips[1 - near] };
  const playing = !["open", "closed"].includes(view.phase);
  for (const side of /** @type {const} */ (["me", "op"])) {
    const root = strip(side);
    const at = seatAt(side, seat);
    const player = view.players[at];
    const name = nameOf(view, side, seat);
    write(slot(root, "name"), side === "me" && seat !== null ? say("You · {name}", { name }) : name);
    write(slot(root, "elo"), player?.plays_as ? word("bots", player.plays_as) : eloNow(view, at));
    write(slot(root, "rate"), botRate(view, player?.plays_as));
    write(slot(root, "points"), playing ? sayCount("{count} point", "{count} points", { count: scoreOf(view)[at] }) : "");
    write(slot(root, "pips"), playing ? String(shown[side]) : "–");
    const lead = shown[side] - shown[side === "me" ? "op" : "me"];
    write(slot(root, "lead"), playing ? signed(lead) : "");
    root.classList.toggle("tried", draftPips !== null);
    root.classList.toggle("on", view.decider === at);
    showFace(root, player?.face);
    showStrength(slot(root, "strength"), player?.plays_as ? 0 : (player?.strength ?? 0));
  }
}

/** The PR of a house bot, in the game in which it is measured. @param {View} view @param {string | null | undefined} level @returns {string} */
function botRate(view, level) {
  return level && level !== "alone" && view.variant === "backgammon" ? word("bot_rates", level) : "";
}

/** A seat's rating, after a rated match the new one; an empty seat and a guest have none. @param {View} view @param {0|1} at @returns {string} */
function eloNow(view, at) {
  const after = view.rated && view.phase === "over" ? view.result?.match?.elo_after : null;
  const elo = after ? Math.round(Number(after[at])) : view.players[at]?.elo;
  return elo === null || elo === undefined ? "" : rating(elo);
}

/** @param {HTMLElement} place @param {number} group */
export function showStrength(place, group) {
  if (place.dataset.group === String(group)) return;
  place.dataset.group = String(group);
  place.replaceChildren(...(group ? [strengthSymbol(group)] : []));
}

/** The face of a person or bot, as accounts/faces.py describes it; none at an empty seat. @param {HTMLElement} root @param {string} [face] */
export function showFace(root, face = "") {
  const place = slot(root, "face");
  if (place.dataset.face === face) return;
  place.dataset.face = face;
  const [symbol, forms = "000", ground = "000", degrees = "0"] = face.split(" ");
  place.setAttribute("fill", `#${forms}`);
  place.setAttribute("color", `#${ground}`);
  place.classList.toggle("face-bot", face !== "" && !face.includes(" "));
  const href = `${place.dataset.sheet}#${symbol}`;
  place.replaceChildren(...(face ? [element("use", { href, transform: `rotate(${degrees} 20 20)` })] : []));
}

/** @param {View} view @param {0|1|null} seat @param {[boolean, boolean]} online */
export function showPresence(view, seat, online) {
  for (const side of /** @type {const} */ (["me", "op"])) {
    const at = seatAt(side, seat);
    const dot = slot(strip(side), "presence");
    dot.hidden = view.players[at] === null || Boolean(view.players[at]?.plays_as);
    const here = online[at] && !view.absent[at];
    dot.classList.toggle("off", !here);
    dot.setAttribute("aria-label", here ? say("connected") : say("offline"));
  }
}
