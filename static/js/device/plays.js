// @ts-check
/** The legal plays of a roll in backgammon, for a page without a connection; the house's own rules are in backgammon/rules. */

import { BAR, CHECKERS } from "./lanes.js";

/** @typedef {import("./lanes.js").Lanes} Lanes */
/** @typedef {[number, number]} Move  from and to, in the mover's numbers; 25 is the bar, 0 off */
/** @typedef {{lanes: Lanes, moves: Move[]}} Play */

/** Every different result of a roll, with one way to it; the board itself if nothing can move. @param {Lanes} lanes @param {number[]} dice @returns {Play[]} */
export function playsOf(lanes, dice) {
  const [high, low] = [Math.max(...dice), Math.min(...dice)];
  const found = high === low ? walked(lanes, [[high, high, high, high]]) : walked(lanes, [[high, low], [low, high]]);
  const higher = found.length === 2 && high !== low ? walked(lanes, [[high]])[1] : undefined; // where only one die can be played
  const most = higher ?? found[found.length - 1];
  const won = found.flatMap((results) => [...results.values()]).filter((play) => isWon(play.lanes));
  return [...new Map([...most.values(), ...won].map((play) => [`${play.lanes}`, play])).values()];
}

const isWon = (/** @type {Lanes} */ lanes) => (lanes[0] & 15) === CHECKERS;

/** Every board that the dice lead to in these orders, by how many of them were played. @param {Lanes} lanes @param {number[][]} orders */
function walked(lanes, orders) {
  /** @type {Map<string, Play>[]} */
  const byLength = [new Map(), new Map(), new Map(), new Map(), new Map()];
  const walk = (/** @type {Play} */ play, /** @type {number[]} */ dice) => {
    const found = byLength[play.moves.length];
    const key = `${play.lanes}`;
    const isNew = !found.has(key);
    if (isNew) found.set(key, play);
    if (!dice.length || isWon(play.lanes) || (dice[0] === dice[1] && !isNew)) return;
    for (const source of sourcesOf(play.lanes, dice[0])) {
      const target = Math.max(0, source - dice[0]);
      walk({ lanes: moved(play.lanes, source, target), moves: [...play.moves, [source, target]] }, dice.slice(1));
    }
  };
  for (const order of orders) walk({ lanes, moves: [] }, order);
  return byLength.filter((found) => found.size > 0);
}

/** Where a checker may leave with this die, the highest first. @param {Lanes} lanes @param {number} die @returns {number[]} */
function sourcesOf(lanes, die) {
  const isOpen = (/** @type {number} */ point) => lanes[point] >> 4 < 2;
  if (lanes[BAR] & 15) return isOpen(BAR - die) ? [BAR] : [];
  let highest = 24;
  while (highest && !(lanes[highest] & 15)) highest -= 1;
  const sources = [];
  for (let source = highest; source >= 1; source -= 1) {
    if (!(lanes[source] & 15)) continue;
    if (source > die ? isOpen(source - die) : highest <= 6 && (source === die || source === highest)) sources.push(source);
  }
  return sources;
}

/** @param {Lanes} lanes @param {number} source @param {number} target @returns {Lanes} */
function moved(lanes, source, target) {
  const after = lanes.slice();
  after[source] -= 1;
  if (target && after[target] >> 4) {
    after[target] -= 16;
    after[BAR] += 16;
  }
  after[target] += 1;
  return after;
}

/** A play as it is written: the highest checker first, hops joined unless one hits. @param {Lanes} lanes @param {Move[]} moves @returns {string} */
export function textOf(lanes, moves) {
  const hit = new Set();
  /** @type {Map<string, {from: number, to: number, word: string, count: number}>} */
  const words = new Map();
  for (const chain of chainsOf(moves)) {
    let word = nameOf(chain[0]);
    for (const [at, point] of chain.entries()) {
      if (at === 0) continue;
      const hits = point > 0 && lanes[point] >> 4 === 1 && !hit.has(point);
      if (hits) hit.add(point);
      if (hits || at === chain.length - 1) word += `/${nameOf(point)}${hits ? "*" : ""}`;
    }
    const known = words.get(word);
    if (known) known.count += 1;
    else words.set(word, { from: chain[0], to: chain[chain.length - 1], word, count: 1 });
  }
  const ordered = [...words.values()].sort((a, b) => b.from - a.from || b.to - a.to || Number(b.word.includes("*")) - Number(a.word.includes("*")));
  return ordered.map(({ word, count }) => (count > 1 ? `${word}(${count})` : word)).join(" ");
}

const nameOf = (/** @type {number} */ point) => (point === BAR ? "bar" : point === 0 ? "off" : String(point));

/** The moves joined into walks of single checkers, the highest going on as far as it can. @param {Move[]} moves @returns {number[][]} */
function chainsOf(moves) {
  const chains = [];
  let left = [...moves].sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  while (left.length) {
    const chain = [...left[0]];
    left = left.slice(1).filter(([from, to]) => {
      if (from !== chain[chain.length - 1]) return true;
      chain.push(to);
      return false;
    });
    chains.push(chain);
  }
  return chains;
}
