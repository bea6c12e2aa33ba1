// @ts-check
/**
 * A play as it is typed, "24/18 13/11", "bar/22*", "8/5(2)" or "24/18/13", found in the graph of legal plays.
 *
 * No rules are applied here: a typed move is a walk of one checker, and the graph contains the legal walks.
 */

/** @typedef {import("./draft.js").Edge} Edge */
/** @typedef {{from: number, to: number}} Hop */

/** The most moves that a turn can have; more cannot be meant. */
const HOPS_MAX = 8;

/**
 * The moves of a line, or null if it is not written as a play.
 * @param {string} text @param {{bar: string[], off: string[]}} words  how bar and off are written, in lower case
 * @returns {Hop[]|null}
 */
export function parsePlay(text, words) {
  const place = (/** @type {string} */ name) => {
    if (words.bar.includes(name)) return 25;
    if (words.off.includes(name)) return 0;
    return /^\d{1,2}$/.test(name) && Number(name) <= 25 ? Number(name) : null;
  };
  /** @type {Hop[]} */
  const hops = [];
  for (const token of text.toLowerCase().trim().split(/[\s,;]+/)) {
    const match = /^([^()]+?)(?:\((\d)\))?$/.exec(token);
    const places = match?.[1].replaceAll("*", "").split(/[/-]/).map(place) ?? [];
    if (!match || places.length < 2 || places.includes(null)) return null;
    for (let time = 0; time < Number(match[2] ?? 1); time += 1) {
      for (let i = 1; i < places.length; i += 1) {
        hops.push({ from: /** @type {number} */ (places[i - 1]), to: /** @type {number} */ (places[i]) });
      }
    }
  }
  return hops.length && hops.length <= HOPS_MAX ? hops : null;
}

/**
 * A walk from `node` that makes exactly these moves, in any order; null if there is none.
 * @param {Edge[][]} graph @param {number} node @param {Hop[]} hops @returns {Edge[]|null}
 */
export function walkOf(graph, node, hops) {
  if (!hops.length) return [];
  for (const edge of graph[node] ?? []) {
    const tried = new Set();
    for (const hop of hops) {
      const name = `${hop.from}/${hop.to}`;
      if (hop.from !== edge[0] || tried.has(name)) continue;
      tried.add(name);
      const others = hops.filter((each) => each !== hop);
      const left = edge[1] === hop.to ? others : [{ from: edge[1], to: hop.to }, ...others];
      const rest = walkOf(graph, edge[3], left);
      if (rest) return [edge, ...rest];
    }
  }
  return null;
}
