// @ts-check
/** The replay of a match: steps that the server has worked out, one after the other on the board. */

import { arrowsOf } from "../board/arrows.js";
import { BgBoard } from "../board/board.js";
import { COLOURS } from "../board/labels.js";
import { across } from "../board/position.js";
import { byId, copyText, one, write } from "./table/dom.js";
import { say } from "./say.js";
import { boardState, scoreOf } from "./table/view.js";

/**
 * @typedef {object} Replay
 * @property {any[]} steps  an event of the match each, with `view`: what the board shows after it
 * @property {0|1} near  whose side of the board is shown
 * @property {[string, string]} names
 * @property {"against"|"half"|"same"} way
 * @property {"hit"|"pin"|"block"} capture
 * @property {boolean} has_cube
 * @property {string} contest
 * @property {number} target_points
 */

/** @type {Replay} */
const replay = JSON.parse(byId("replay-data").textContent ?? "{}");
const slider = /** @type {HTMLInputElement} */ (byId("replay-slider"));
const last = replay.steps.length - 1;
/** @type {0|1} */
let near = replay.near;
let at = -1;
/** The timer of the next step while the replay runs by itself. */
let running = 0;

/** The text of the list of moves for a step. @param {number} number */
const told = (number) => document.querySelector(`#moves [data-step="${number}"]`)?.textContent?.trim() ?? "";

/** A step in words. @param {any} step @param {number} number @returns {string} */
function words(step, number) {
  const name = replay.names[step.seat] ?? "";
  switch (step.type) {
    case "game_started":
      return say("Game {game}, {first} : {second}", { game: step.game, first: step.view.score[0], second: step.view.score[1] });
    case "rolled_off":
      return step.dice.map((/** @type {number} */ die, /** @type {number} */ seat) => say("{name} rolls {dice}", { name: replay.names[seat], dice: die })).join(" · ");
    case "dice_rolled":
      return say("{name} rolls {dice}", { name, dice: step.dice.join("–") });
    case "play_made":
      return say("{name}: {dice} {text}", { name, dice: step.dice.join("–"), text: step.text || say("no legal move") });
    case "game_ended":
      return step.winner === null ? say("A draw") : say("{name} wins {points}", { name: replay.names[step.winner], points: step.points });
    default:
      return say("{name} {text}", { name, text: told(number) });
  }
}

/** @param {any} step @returns {any} the step as a view of the table */
const viewOf = (step) => ({
  way: replay.way,
  capture: replay.capture,
  ...step.view, // in a series with the way and the capture of the game's variant
  match: 1,
  terms: { has_cube: replay.has_cube },
  actions: [[], []],
  graph: null,
});

/** @param {number} number @param {boolean} [animate] */
function show(number, animate = true) {
  const next = Math.max(0, Math.min(last, number));
  const follows = next === at + 1;
  at = next;
  const step = replay.steps[at];
  const far = near === 0 ? 1 : 0;
  board.set(boardState(viewOf(step), near, true), { animate: animate && follows });
  board.showArrows(arrowsAhead());
  const text = words(step, at);
  write(one('[data-replay="text"]'), text);
  write(one('[data-replay="me"]'), `${replay.names[near]} · ${say("Pips")} ${step.view.pips[near]}`);
  write(one('[data-replay="op"]'), `${replay.names[far]} · ${say("Pips")} ${step.view.pips[far]}`);
  const score = scoreOf({ score: step.view.score, terms: replay });
  write(one('[data-replay="score"]'), `${score[near]} : ${score[far]}`);
  write(one('[data-replay="game"]'), say("Step {number} of {total}", { number: at + 1, total: last + 1 }));
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", text);
  document.body.dataset.step = String(at);
  offerText("position", step.view.position_id);
  offerText("xgid", step.view.xgid);
  offerAnalysis(step.view.xgid);
  mark();
}

/** A button that copies a text, if there is one. @param {string} way @param {string|null} text */
function offerText(way, text) {
  const control = /** @type {HTMLButtonElement} */ (one(`[data-replay-go="${way}"]`));
  control.disabled = !text;
  control.title = text ?? "";
}

/** The link to the analysis board with this position, where the engine knows the game. @param {string|null} xgid */
function offerAnalysis(xgid) {
  const link = /** @type {HTMLAnchorElement} */ (one('[data-replay="analyse"]'));
  link.hidden = !xgid;
  if (xgid) link.search = new URLSearchParams({ xgid }).toString();
}

/** The play that follows a roll, as arrows on the position before it. */
function arrowsAhead() {
  const [roll, play] = [replay.steps[at], replay.steps[at + 1]];
  if (roll.type !== "dice_rolled" || play?.type !== "play_made" || play.seat !== roll.seat) return [];
  const own = play.seat === near;
  const way = roll.view.way ?? replay.way;
  const moves = play.moves.map((/** @type {[number, number, number]} */ [from, to]) => (own ? [from, to] : [across(way, from), across(way, to)]));
  return arrowsOf(moves, { side: own ? "me" : "op" });
}

/** The step with which a game begins: `by` 1 for the next one, −1 for this one or, at its beginning, the one before. @param {1|-1} by */
function gameStart(by) {
  const starts = replay.steps.flatMap((step, number) => (step.type === "game_started" ? [number] : []));
  return by > 0 ? (starts.find((number) => number > at) ?? last) : (starts.filter((number) => number < at).pop() ?? 0);
}

/** Go on by itself, or stop. @param {boolean} on */
function run(on) {
  clearTimeout(running);
  running = 0;
  const control = one('[data-replay-go="run"]');
  control.setAttribute("aria-pressed", String(on));
  if (!on) return;
  if (at === last) show(0);
  const speed = /** @type {HTMLSelectElement} */ (byId("replay-speed"));
  const wait = () => {
    running = window.setTimeout(() => {
      show(at + 1);
      if (at < last) wait();
      else run(false);
    }, Number(speed.value));
  };
  wait();
}

const copy = (/** @type {string} */ text) => copyText(text, one('[data-replay="copied"]'), say("Copied"));

/** Mark the last move of the list that the board shows. */
function mark() {
  for (const link of document.querySelectorAll('#moves [aria-current="step"]')) link.removeAttribute("aria-current");
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#moves [data-step]")]);
  const shown = links.filter((link) => Number(link.dataset.step) <= at).pop();
  if (!shown) return;
  shown.setAttribute("aria-current", "step");
  const list = byId("moves");
  const [outer, inner] = [list.getBoundingClientRect(), shown.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 2;
}

/** The step that the address names. @returns {number|null} */
function named() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** @type {Record<string, () => void>} */
const ways = {
  first: () => show(0),
  back: () => show(at - 1),
  next: () => show(at + 1),
  last: () => show(last),
  "game-back": () => show(gameStart(-1), false),
  "game-next": () => show(gameStart(1), false),
  run: () => run(!running),
  link: () => void copy(`${location.origin}${location.pathname}#step-${at}`),
  position: () => void copy(replay.steps[at].view.position_id ?? ""),
  xgid: () => void copy(replay.steps[at].view.xgid ?? ""),
  flip: () => {
    near = near === 0 ? 1 : 0;
    show(at, false);
  },
};
/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", PageUp: "game-back", PageDown: "game-next", " ": "run" };
/** What goes on while the replay runs by itself; every other way ends it. */
const still = new Set(["run", "flip", "link", "position", "xgid"]);

/** @param {string} way */
function go(way) {
  if (!still.has(way)) run(false);
  ways[way]();
}

/** @type {BgBoard} */
let board;
if (last >= 0) {
  byId("replay").removeAttribute("data-waiting");
  board = new BgBoard(byId("board"), { labels: COLOURS });
  slider.max = String(last);
  for (const control of document.querySelectorAll("[data-replay-go]")) {
    control.addEventListener("click", () => go(/** @type {HTMLElement} */ (control).dataset.replayGo ?? ""));
  }
  slider.addEventListener("input", () => {
    run(false);
    show(Number(slider.value), false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider || !(event.key in keys)) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("select") || (event.key === " " && target.matches("button, a, summary"))) return;
    event.preventDefault();
    go(keys[event.key]);
  });
  addEventListener("hashchange", () => {
    run(false);
    show(named() ?? at, false);
  });
  show(named() ?? 0, false);
}
