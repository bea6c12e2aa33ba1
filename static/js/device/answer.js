// @ts-check
/** The net's answer about a position, in the form in which the house answers (backgammon/analysis/answers.py). */

import { cubeless, cubeWorth, efficiencyOf, equityWithCube, otherSide, verdictOf } from "./cube.js";
import { lanesOf, turned } from "./lanes.js";
import { playsOf, textOf } from "./plays.js";

/** @typedef {import("../analysis/position.js").Setup} Setup */
/** @typedef {import("../analysis/answer.js").Answer} Answer */
/** @typedef {import("./net.js").DeviceNet} DeviceNet */

/** How many of the plays an answer names. */
const PLAYS_MOST = 10;

/** The best plays of a roll, or the cube; at a score the cube is not judged. @param {DeviceNet} net @param {Setup} setup @returns {Pick<Answer, "kind"|"ply"> & Partial<Answer>} */
export function answerTo(net, setup) {
  return setup.dice ? plays(net, setup, setup.dice) : cube(net, setup);
}

/** @param {Setup} setup @returns {import("./cube.js").Owner} */
const ownerOf = (setup) => (setup.owner === null ? "centred" : setup.owner === setup.turn ? "mine" : "theirs");

/** @param {DeviceNet} net @param {Setup} setup @param {number[]} dice @returns {Pick<Answer, "kind"|"ply"> & Partial<Answer>} */
function plays(net, setup, dice) {
  const lanes = lanesOf(setup);
  const owner = ownerOf(setup);
  const judged = playsOf(lanes, dice).map((play) => {
    const chances = net.chances(play.lanes);
    const equity = setup.length ? cubeless(chances) : equityWithCube(chances, owner, efficiencyOf(play.lanes), setup.jacoby);
    return { text: textOf(lanes, play.moves), moves: play.moves, equity, chances, ply: 1 };
  });
  judged.sort((a, b) => b.equity - a.equity || b.chances[0] - a.chances[0]);
  const options = judged.slice(0, PLAYS_MOST).map((option) => ({ ...option, loss: judged[0].equity - option.equity }));
  return { kind: "play", ply: 1, choices: judged.length, options, scoreless: setup.length > 0 };
}

/** @param {DeviceNet} net @param {Setup} setup @returns {Pick<Answer, "kind"|"ply"> & Partial<Answer>} */
function cube(net, setup) {
  const lanes = lanesOf(setup);
  const owner = ownerOf(setup);
  const chances = otherSide(net.chances(turned(lanes)));
  if (setup.length) return { kind: "cube", ply: 1, refusal: "score", redouble: false, chances };
  const worth = cubeWorth(chances, owner, efficiencyOf(lanes), setup.jacoby);
  const may = owner !== "theirs";
  return {
    kind: "cube", ply: 1, no_double: worth.no_double, double_take: may ? worth.double_take : null, double_drop: may ? 1 : null,
    verdict: may ? verdictOf(worth, setup.beavers) : "no_cube", refusal: may ? null : "not_yours", redouble: owner === "mine", chances,
  };
}
