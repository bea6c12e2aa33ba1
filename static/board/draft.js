// @ts-check
/**
 * A play being put together: a walk through the graph of legal plays that can be walked back.
 *
 * The graph comes with the dice. Node 0 is the start, each node lists its edges
 * `[from, to, die, next]`, and a node without edges is a complete play.
 */

import { moved } from "./position.js";

/** @typedef {import("./position.js").Position} Position */
/** @typedef {[number, number, number, number]} Edge  from, to, die, next node */
/** @typedef {[number, number, number]} Move  from, to, die */

export class Draft {
  /** @param {Edge[][]} graph @param {number[]} dice */
  constructor(graph, dice) {
    this.graph = graph;
    /** The dice as they lie; the first unused one is the active die. @type {number[]} */
    this.dice = [...dice];
    /** @type {Edge[]} */
    this.steps = [];
  }

  /** @returns {number} */
  get node() {
    return this.steps.length ? this.steps[this.steps.length - 1][3] : 0;
  }

  /** @returns {Edge[]} */
  get edges() {
    return this.graph[this.node] ?? [];
  }

  /** @returns {boolean} */
  get complete() {
    return this.edges.length === 0;
  }

  /** @returns {Move[]} */
  get moves() {
    return this.steps.map(([from, to, die]) => [from, to, die]);
  }

  /** @returns {boolean} */
  get isDouble() {
    return this.dice.length === 2 && this.dice[0] === this.dice[1];
  }

  /** Which of the dice, as they lie, are played; four moves of a double use each die twice. @returns {boolean[]} */
  get used() {
    if (this.isDouble) return [this.steps.length >= 2, this.steps.length >= 4];
    const left = this.steps.map((step) => step[2]);
    return this.dice.map((die) => {
      const at = left.indexOf(die);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }

  /** The die a tap plays: the first that is unused and can be played. @returns {number|null} */
  get active() {
    const used = this.used;
    const playable = new Set(this.edges.map((edge) => edge[2]));
    const index = this.dice.findIndex((die, i) => !used[i] && playable.has(die));
    return index >= 0 ? this.dice[index] : null;
  }

  /** How many bars stand below each die: one below the active die; of a double, one for each move still to play. @returns {number[]} */
  get bars() {
    if (this.isDouble) {
      const left = this.owed.length;
      const first = Math.min(left, Math.max(0, 2 - this.steps.length));
      return [first, left - first];
    }
    const { active, used } = this;
    const next = this.dice.findIndex((die, i) => die === active && !used[i]);
    return this.dice.map((_, i) => Number(i === next));
  }

  /** Values of the moves that are still owed on the longest walk from here. @returns {number[]} */
  get owed() {
    const values = [];
    let edges = this.edges;
    while (edges.length) {
      values.push(edges[0][2]);
      edges = this.graph[edges[0][3]] ?? [];
    }
    return values;
  }

  /** Places a checker can leave now. @returns {Set<number>} */
  sources() {
    return new Set(this.edges.map((edge) => edge[0]));
  }

  /** Put the next die first. Nothing happens once a die is played. */
  swap() {
    if (this.steps.length === 0) this.dice.push(/** @type {number} */ (this.dice.shift()));
  }

  /**
   * The edge a tap on `from` plays: the active die if it can, else the other one.
   * @param {number} from @param {{other?: boolean, die?: number}} [wish]
   * @returns {Edge|null}
   */
  edgeFrom(from, wish = {}) {
    const here = this.edges.filter((edge) => edge[0] === from);
    if (wish.die) return here.find((edge) => edge[2] === wish.die) ?? null;
    const active = this.active;
    const first = here.find((edge) => edge[2] === active);
    const second = here.find((edge) => edge[2] !== active);
    return (wish.other ? (second ?? first) : (first ?? second)) ?? null;
  }

  /**
   * Everywhere one checker can come from `from`, with the shortest way there.
   * @param {number} from @returns {Map<number, Edge[]>}
   */
  targets(from) {
    /** @type {Map<number, Edge[]>} */
    const found = new Map();
    /** @type {Edge[][]} */
    let frontier = this.preferred(this.edges.filter((edge) => edge[0] === from)).map((edge) => [edge]);
    while (frontier.length) {
      /** @type {Edge[][]} */
      const longer = [];
      for (const walk of frontier) {
        const last = walk[walk.length - 1];
        if (!found.has(last[1])) found.set(last[1], walk);
        for (const edge of this.graph[last[3]] ?? []) {
          if (edge[0] === last[1]) longer.push([...walk, edge]);
        }
      }
      frontier = longer;
    }
    return found;
  }

  /** Edges of the active die first. @param {Edge[]} edges @returns {Edge[]} */
  preferred(edges) {
    const active = this.active;
    return [...edges].sort((a, b) => Number(b[2] === active) - Number(a[2] === active));
  }

  /**
   * The walk that a tap on the target `to` means, or null when it could mean several.
   * One way there, or two checkers that make the point together, or one way with the active die.
   * @param {number} to @returns {Edge[]|null}
   */
  wayTo(to) {
    const walks = [...this.sources()]
      .map((from) => this.targets(from).get(to))
      .filter((walk) => walk !== undefined);
    if (walks.length === 1) return walks[0];
    const single = walks.filter((walk) => walk.length === 1);
    const pair = this.pairTo(to);
    if (single.length === 2 && pair) return pair;
    if (single.length === 1) return single[0];
    const active = single.filter((walk) => walk[0][2] === this.active);
    return active.length === 1 ? active[0] : null;
  }

  /** Two different checkers that meet on `to`, one with each die. @param {number} to @returns {Edge[]|null} */
  pairTo(to) {
    for (const first of this.preferred(this.edges)) {
      if (first[1] !== to) continue;
      const second = (this.graph[first[3]] ?? []).find(
        (edge) => edge[1] === to && edge[0] !== first[0] && edge[2] !== first[2],
      );
      if (second) return [first, second];
    }
    return null;
  }

  /** @param {Edge[]} walk */
  play(walk) {
    this.steps.push(...walk);
  }

  /** Take one move back. @returns {boolean} whether there was one */
  undo() {
    return this.steps.pop() !== undefined;
  }

  reset() {
    this.steps = [];
  }
}

/** With more walks than this nothing is forced in any sense that matters. */
const WALKS_MAX = 64;

/**
 * The only play in the graph, or null where there is a choice; plays that end in the same position are one play.
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
