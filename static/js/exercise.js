// @ts-check
/** An exercise: its question on the board, or its answer with the plays to look at. */

import { BgBoard } from "../board/board.js";
import { focusPlace } from "../board/input.js";
import { OWN } from "../board/labels.js";
import { boardState, written } from "./learn/steps.js";
import { byId } from "./table/dom.js";

/** Whether a key is meant for the page, not for a field or the browser. @param {KeyboardEvent} event */
const isOurs = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !(event.target instanceof HTMLInputElement);

/** @param {string} id */
const follow = (id) => /** @type {HTMLElement|null} */ (document.getElementById(id))?.click();

function ask() {
  const task = JSON.parse(byId("exercise-data").textContent ?? "{}");
  const board = new BgBoard(byId("board"), { labels: OWN });
  if (task.mirrored) board.preferences.direction = -1;
  board.set(boardState(task, "exercise"), { animate: false });
  const line = /** @type {HTMLInputElement|null} */ (document.getElementById("exercise-play"));
  if (line) play(board, line);
  document.addEventListener("keydown", (event) => {
    if (isOurs(event) && event.key.toLowerCase() === "s") follow("exercise-skip");
  });
}

/** The play is made on the board, or typed; it is sent as text. @param {BgBoard} board @param {HTMLInputElement} line */
function play(board, line) {
  const undo = /** @type {HTMLButtonElement} */ (byId("exercise-undo"));
  const confirm = /** @type {HTMLButtonElement} */ (byId("exercise-confirm"));
  const wake = () => {
    confirm.disabled = !line.value.trim();
  };
  const takeBack = () => {
    const whole = board.draft?.complete;
    board.undo();
    if (whole) focusPlace(board.svg, [...(board.draft?.sources() ?? [24])][0]);
  };
  board.on("draft", (draft) => {
    const steps = draft?.steps ?? [];
    undo.disabled = !steps.length;
    if (steps.length) line.value = draft.complete ? written(steps) : "";
    else if (!line.matches(":focus") && !line.hasAttribute("aria-invalid")) line.value = "";
    wake();
    if (steps.length && draft.complete) confirm.focus();
  });
  line.addEventListener("input", () => {
    if (board.draft?.steps.length) {
      const typed = line.value;
      board.reset();
      line.value = typed;
    }
    wake();
  });
  undo.addEventListener("click", takeBack);
  document.addEventListener("keydown", (event) => {
    if (!isOurs(event) || (event.key.toLowerCase() !== "z" && event.key !== "Backspace")) return;
    event.preventDefault();
    takeBack();
  });
  wake();
}

function answer() {
  const drawn = byId("exercise-drawn");
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-try]"));
  /** @param {string} number */
  const show = (number) => {
    const again = drawn.dataset.trying === number;
    if (again) delete drawn.dataset.trying;
    else drawn.dataset.trying = number;
    for (const each of buttons) each.setAttribute("aria-pressed", String(!again && each.dataset.try === number));
  };
  for (const each of buttons) each.addEventListener("click", () => show(each.dataset.try ?? ""));
  document.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    if (event.key.toLowerCase() === "a") follow("exercise-analyse");
    if ([...buttons].some((each) => each.dataset.try === event.key)) show(event.key);
  });
}

if (byId("exercise").dataset.state === "asked") ask();
else answer();
