// @ts-check
/** The replay of a match: steps that the server has worked out, one after the other on the board. */

import { BgBoard } from "../board/board.js";
import { byId, one, write } from "./table/dom.js";
import { say } from "./table/text.js";
import { boardState } from "./table/view.js";

/**
 * @typedef {object} Replay
 * @property {any[]} steps  an event of the match each, with `view`: what the board shows after it
 * @property {0|1} near  whose side of the board is shown
 * @property {[string, string]} names
 * @property {"against"|"half"|"same"} way
 * @property {"hit"|"pin"|"block"} capture
 * @property {boolean} has_cube
 */

/** @type {Replay} */
const replay = JSON.parse(byId("replay-data").textContent ?? "{}");
const slider = /** @type {HTMLInputElement} */ (byId("replay-slider"));
const last = replay.steps.length - 1;
/** @type {0|1} */
let near = replay.near;
let at = -1;

/** The text of the list of moves for a step. @param {number} number */
const told = (number) => document.querySelector(`#moves [data-step="${number}"]`)?.textContent?.trim() ?? "";

/** A step in words. @param {any} step @param {number} number @returns {string} */
function words(step, number) {
  const name = replay.names[step.seat] ?? "";
  switch (step.type) {
    case "game_started":
      return say("replay_game", { game: step.game, first: step.view.score[0], second: step.view.score[1] });
    case "rolled_off":
      return step.dice.map((/** @type {number} */ die, /** @type {number} */ seat) => say("replay_rolls", { name: replay.names[seat], dice: die })).join(" · ");
    case "dice_rolled":
      return say("replay_rolls", { name, dice: step.dice.join("–") });
    case "play_made":
      return say("replay_plays", { name, dice: step.dice.join("–"), text: step.text || say("no_move") });
    case "game_ended":
      return step.winner === null ? say("replay_drawn") : say("replay_wins", { name: replay.names[step.winner], points: step.points });
    default:
      return say("replay_says", { name, text: told(number) });
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
  const text = words(step, at);
  write(one('[data-replay="text"]'), text);
  write(one('[data-replay="me"]'), `${replay.names[near]} · ${say("pips")} ${step.view.pips[near]}`);
  write(one('[data-replay="op"]'), `${replay.names[far]} · ${say("pips")} ${step.view.pips[far]}`);
  write(one('[data-replay="score"]'), `${step.view.score[near]} : ${step.view.score[far]}`);
  write(one('[data-replay="game"]'), say("replay_at", { number: at + 1, total: last + 1 }));
  slider.value = String(at);
  slider.setAttribute("aria-valuetext", text);
  document.body.dataset.step = String(at);
  mark();
}

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
  flip: () => {
    near = near === 0 ? 1 : 0;
    show(at, false);
  },
};
/** @type {Record<string, string>} */
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

/** @type {BgBoard} */
let board;
if (last >= 0) {
  byId("replay").removeAttribute("data-waiting");
  board = new BgBoard(byId("board"), { say });
  slider.max = String(last);
  for (const control of document.querySelectorAll("[data-replay-go]")) {
    control.addEventListener("click", () => ways[/** @type {HTMLElement} */ (control).dataset.replayGo ?? ""]());
  }
  slider.addEventListener("input", () => show(Number(slider.value), false));
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider || !(event.key in keys)) return;
    event.preventDefault();
    ways[keys[event.key]]();
  });
  addEventListener("hashchange", () => show(named() ?? at, false));
  show(named() ?? 0, false);
}
