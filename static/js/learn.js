// @ts-check
/** A lesson: its steps on the board, one after the other. The server answers every try. */

import { BgBoard } from "../board/board.js";
import { focusPlace } from "../board/input.js";
import { OWN } from "../board/labels.js";
import { arrowsOf } from "../board/arrows.js";
import { parsePlay, walkOf } from "../board/typed.js";
import { Panel } from "./learn/panel.js";
import { boardState, walkOfMoves, written } from "./learn/steps.js";
import { byId } from "./table/dom.js";
import { say } from "./say.js";

/** @typedef {import("./learn/steps.js").Step} Step */
/** @typedef {import("./learn/steps.js").Answer} Answer */
/** @typedef {import("./learn/steps.js").Lesson} Lesson */

/** How long a wrong play stays on the board. */
const BACK_AFTER_MS = 600;
/** The time between two moves of a play that is shown. */
const SHOW_EVERY_MS = 700;

/** @type {Lesson} */
const lesson = JSON.parse(byId("lesson-data").textContent ?? "{}");
const board = new BgBoard(byId("board"), { labels: OWN });
const panel = new Panel(lesson, {
  choose: (key) => void attempt({ choice: key }),
  type: typed,
  show: () => void attempt({ show: "1" }),
  again,
  next: () => (step.number < lesson.steps.length ? go(step.number + 1) : location.assign(lesson.after)),
  go,
});
/** @type {Step} */
let step = lesson.steps[lesson.number - 1];
/** While a try is on its way or being shown; the board's own moves are no tries then. */
let busy = false;
let visits = 0;

/** Show a step from its beginning. @param {Step} next */
function open(next) {
  step = next;
  visits += 1;
  busy = false;
  board.set(boardState(step, String(visits)), { animate: false });
  board.showArrows(hints());
  panel.open(step);
}

/** @param {number} number */
function go(number) {
  const next = lesson.steps[number - 1];
  history.pushState(null, "", next.url);
  open(next);
  focusTask();
}

/** Bring the focus to where the step is solved. */
function focusTask() {
  if (step.choices.length) panel.focusChoice();
  else focusPlace(board.svg, [...(board.draft?.sources() ?? [24])][0]);
}

/** The arrows of the step. */
const hints = () => arrowsOf(step.arrows);

/** Send a try, and show the answer. @param {Record<string, string>} fields */
async function attempt(fields) {
  if (busy) return;
  const asked = step;
  busy = true;
  lock(true);
  const answer = await send(fields);
  if (asked !== step) return;
  if (!answer) {
    panel.offline();
    settle();
  } else if (answer.verdict === "shown") {
    await demonstrate(answer);
  } else {
    await settleAs(answer);
  }
}

/** @param {Record<string, string>} fields @returns {Promise<Answer|null>} */
async function send(fields) {
  const body = new FormData();
  body.set("csrfmiddlewaretoken", panel.token);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const response = await fetch(step.url, { method: "POST", headers: { Accept: "application/json" }, body }).catch(() => null);
  return response?.ok ? response.json() : null;
}

/** @param {Answer} answer */
async function settleAs(answer) {
  if (answer.moves.length && !board.draft?.steps.length) lay(answer); // it was typed
  if (answer.verdict === "right") {
    step.state = "solved";
    panel.answer(answer);
    panel.focusNext();
    return; // the board stays locked, and shows the solution
  }
  panel.answer(answer);
  const asked = step;
  if (board.draft?.steps.length) await wait(board.duration ? BACK_AFTER_MS : 0);
  if (asked !== step) return;
  settle();
  const tried = arrowsOf(answer.moves, { kind: "wrong" });
  board.showArrows([...hints(), ...tried]);
}

/** The board as at the beginning of the step, free to try again. */
function settle() {
  board.reset();
  lock(false);
  busy = false;
}

/** Put the moves of an answer on the board at once. @param {Answer} answer */
function lay(answer) {
  const walk = board.draft && walkOfMoves(board.draft.graph, answer.moves);
  if (walk) board.play(walk);
}

/** Play the solution slowly. It counts as seen. @param {Answer} answer */
async function demonstrate(answer) {
  board.reset();
  const asked = step;
  const walk = (board.draft && walkOfMoves(board.draft.graph, answer.moves)) ?? [];
  for (const edge of walk) {
    await wait(SHOW_EVERY_MS);
    if (asked !== step) return;
    board.play([edge]);
  }
  step.state ||= "shown";
  panel.answer(answer);
  panel.focusNext();
}

/** Back to the question after a wrong try, or after the solution was shown. */
function again() {
  open(step);
  focusTask();
}

/** A typed play: on the board as far as it is legal, else to the server, which explains. @param {string} text */
function typed(text) {
  const draft = board.draft;
  if (busy || !draft) return;
  const words = (/** @type {string} */ name) => name.toLowerCase().split(" ");
  const hops = parsePlay(text, { bar: ["bar", ...words(say("bar"))], off: ["off", ...words(say("off"))] });
  const further = hops && walkOf(draft.graph, draft.node, hops);
  const walk = further ?? (hops && walkOf(draft.graph, 0, hops));
  if (!walk) {
    void attempt({ play: text });
    return;
  }
  if (!further) draft.reset();
  board.play(walk);
}

/** @param {boolean} locked */
function lock(locked) {
  if (!board.state) return;
  board.state.locked = locked;
  board.drawMarksAndLabels();
}

/** @param {number} ms @returns {Promise<void>} */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

board.on("draft", (draft) => {
  if (!busy && draft?.steps.length && draft.complete) void attempt({ play: written(draft.steps) });
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === panel.line) return;
  if (event.key.toLowerCase() !== "z" && event.key !== "Backspace") return;
  event.preventDefault();
  if (!busy) board.undo();
});
addEventListener("popstate", () => {
  const found = lesson.steps.find((each) => each.url === location.pathname);
  if (found) open(found);
  else location.reload();
});
open(step);
