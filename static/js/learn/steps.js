// @ts-check
/** The steps of a lesson as the page has them, and what the board shows of one. */

import { positionFor } from "../../board/position.js";

/** @typedef {import("../../board/draft.js").Edge} Edge */
/** @typedef {import("../../board/board.js").BoardState} BoardState */
/** @typedef {import("../../board/geometry.js").Side} Side */

/**
 * @typedef {object} Step
 * @property {number} number
 * @property {string} url
 * @property {""|"shown"|"solved"} state
 * @property {[string, boolean][]} parts  the text in pieces, and whether each is emphasised
 * @property {[number, number]|null} dice
 * @property {import("../../board/position.js").WireBoard} board
 * @property {Edge[][]|null} graph  null for a question
 * @property {{value: number, owner: Side|null, offered: boolean}|null} cube
 * @property {{title: string, text: string}} ask
 * @property {string} score
 * @property {[number, number][]} arrows
 * @property {{key: string, label: string}[]} choices
 * @property {import("../../board/position.js").Way} [way]  how the two paths lie; "against" as in backgammon
 * @property {boolean} [pins]  whether blots are pinned
 */

/** @typedef {{number: number, steps: Step[], after: string}} Lesson  after: the address behind the last step */

/**
 * @typedef {object} Answer
 * @property {"right"|"wrong"|"illegal"|"shown"} verdict
 * @property {string} title
 * @property {string} text
 * @property {[number, number, number][]} moves  from, to, die
 * @property {string} choice
 */

/** @param {Step} step @param {string} turn  names the visit of the step @returns {BoardState} */
export function boardState(step, turn) {
  const way = step.way ?? "against";
  return {
    position: positionFor(step.board, way, 0),
    way,
    pins: step.pins ?? false,
    dice: step.dice && { values: step.dice, side: "me", key: turn },
    faintDice: null,
    cube: step.cube && {
      value: step.cube.value,
      owner: step.cube.offered ? null : step.cube.owner,
      offeredTo: step.cube.offered ? "me" : null,
      ready: false,
      resting: false,
    },
    graph: step.graph,
    turn,
    last: null,
    tapRolls: false,
    locked: step.graph === null,
  };
}

/** The moves of a walk as they are written. @param {Edge[]} walk @returns {string} */
export const written = (walk) => walk.map(([from, to]) => `${from}/${to}`).join(" ");

/** The walk through the graph that makes these moves, in any order; null if there is none. @param {Edge[][]} graph @param {[number, number, number][]} moves @param {number} [node] @returns {Edge[]|null} */
export function walkOfMoves(graph, moves, node = 0) {
  if (!moves.length) return [];
  for (const edge of graph[node] ?? []) {
    const at = moves.findIndex((move) => move[0] === edge[0] && move[1] === edge[1] && move[2] === edge[2]);
    const rest = at < 0 ? null : walkOfMoves(graph, moves.filter((_, n) => n !== at), edge[3]);
    if (rest) return [edge, ...rest];
  }
  return null;
}
