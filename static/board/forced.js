// @ts-check
/** Whether a roll leaves a choice: plays that end in the same position are one play. */

import { moved } from "./position.js";

/** @typedef {import("./draft.js").Edge} Edge */
/** @typedef {import("./position.js").Position} Position */

/** With more walks than this nothing is forced in any sense that matters. */
const WALKS_MAX = 64;

/**
 * The only play in the graph, or null where there is a choice.
 * @param {Edge[][]} graph @param {Position} position @param {boolean} pins @returns {Edge[]|null}
 */
export function onlyPlay(graph, position, pins) {
  /** @type {{node: number, walk: Edge[], at: Position}[]} */
  const open = [{ node: 0, walk: [], at: position }];
  /** @type {Edge[]|null} */
  let only = null;
  let end = "";
  for (let tried = 0; open.length; tried += 1) {
    if (tried > WALKS_MAX) return null;
    const { node, walk, at } = /** @type {{node: number, walk: Edge[], at: Position}} */ (open.pop());
    const edges = graph[node] ?? [];
    for (const edge of edges) open.push({ node: edge[3], walk: [...walk, edge], at: moved(at, edge[0], edge[1], pins) });
    if (edges.length) continue;
    const key = [at.me, at.op, at.hand.me].join("/");
    if (only && key !== end) return null;
    only ??= walk;
    end = key;
  }
  return only;
}
