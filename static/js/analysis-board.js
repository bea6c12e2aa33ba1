// @ts-check
/** The analysis board: a position that is set up or pasted, and the engine's answer to it. */

import { BgBoard } from "../board/board.js";
import { focusPlace } from "../board/input.js";
import { COLOURS } from "../board/labels.js";
import { AnswerView } from "./analysis/answer.js";
import { Asker } from "./analysis/ask.js";
import { RolloutChoices } from "./analysis/choices.js";
import { Device } from "./analysis/device.js";
import { Editor } from "./analysis/editor.js";
import { showFaults, textOf } from "./analysis/faults.js";
import { Fields } from "./analysis/form.js";
import { CHECKERS, boardStateOf, cleared, finished, mirrored, pipsOf } from "./analysis/position.js";
import { byId, copyText, make, one, write } from "./table/dom.js";
import { say, sayCount } from "./say.js";

/** @typedef {import("./analysis/position.js").Setup} Setup */
/** @typedef {import("./analysis/editor.js").Brush} Brush */

/** How many changes can be taken back. */
const UNDO_MAX = 200;

/** A position that was pasted or chosen is asked about by itself, once nothing else has been chosen for so long. */
const ASK_AFTER_MS = 350;

/** @type {{position: Setup, opened: boolean, start: Setup, urls: Record<string, string>, device: import("./analysis/device.js").Place|null, file_most_bytes: number}} */
const data = JSON.parse(byId("analysis-data").textContent ?? "{}");
const paste = /** @type {HTMLFormElement} */ (byId("analysis-paste"));
const line = /** @type {HTMLTextAreaElement} */ (byId("analysis-text"));
const said = byId("analysis-read");
const list = /** @type {HTMLSelectElement} */ (byId("analysis-decision"));
const form = /** @type {HTMLFormElement} */ (byId("analysis-set"));

let setup = finished(data.position);
let depth = "quick";
/** The position that the house has answered about. @type {Setup|null} */
let answered = null;
/** Where the rollout that is under way is stopped. */
let stopUrl = "";
/** The timer of the question that a position asks by itself. */
let asking = 0;
/** @type {Setup[]} */
const before = [];

byId("analysis").removeAttribute("data-waiting");
const board = new BgBoard(byId("board"), { labels: COLOURS });
const asker = new Asker(/** @type {HTMLInputElement} */ (one('[name="csrfmiddlewaretoken"]', paste)).value);
const choices = new RolloutChoices(asker, data.urls.estimate, () => setup.xgid);
const answer = new AnswerView((arrows) => board.showArrows(arrows));
const device = data.device && new Device(data.device, (quick, asked) => {
  if (asked !== setup || answered === setup) return; // another position, or the house was faster
  answer.show(quick, asked.turn);
});
const fields = new Fields(form, () => setup, (next) => change(next));
new Editor(board, { setup: () => setup, brush, choose, change: (next, place) => change(next, place), full: (colour) => write(byId("analysis-place"), `${colour ? say("dark") : say("light")}: ${say("All 15 checkers of this side are on the board.")}`) });

/** @returns {Brush} */
function brush() {
  return /** @type {Brush} */ (new FormData(form).get("brush"));
}

/** What a brush does. @type {Record<string, string>} */
const BRUSHES = {
  light: say("Light checkers are set."),
  dark: say("Dark checkers are set."),
  none: say("Checkers are removed."),
};

/** @param {Brush} wanted */
function choose(wanted) {
  /** @type {HTMLInputElement} */ (one(`[name="brush"][value="${wanted}"]`, form)).checked = true;
  write(byId("analysis-place"), BRUSHES[wanted]);
}

/** Another position, which can be taken back. @param {Setup} next @param {number} [place]  where a checker changed */
function change(next, place) {
  if (next.xgid === setup.xgid) return fields.write(setup);
  before.push(setup);
  before.splice(0, before.length - UNDO_MAX);
  show(next);
  if (place !== undefined) {
    focusPlace(board.svg, place);
    const marks = { movable: false, target: false, hits: false, selected: false };
    write(byId("analysis-place"), COLOURS.place(board.position(), place, marks));
  }
}

/** @param {Setup} next */
function show(next) {
  const another = next.xgid !== setup.xgid;
  setup = next;
  board.set(boardStateOf(setup), { animate: false });
  fields.write(setup);
  /** @type {HTMLInputElement} */ (byId("play-on-xgid")).value = setup.xgid;
  for (const [side, count] of pipsOf(setup).entries()) {
    write(one(`[data-pips="${side}"]`), `${say("Pips {count}", { count })} · ${say("off {count}", { count: setup.off[side] })}`);
  }
  /** @type {HTMLButtonElement} */ (one('[data-go="undo"]')).disabled = before.length === 0;
  if (!another) return;
  clearTimeout(asking);
  asker.stop();
  answer.age();
  write(byId("analysis-said"), say("The position has changed. Choose a depth to ask about it."));
  history.replaceState(null, "", shareUrl());
  choices.suggest("");
  choices.soon();
  quick();
}

/** Ask the reader's device about the position, if it is one of a game that goes on. */
function quick() {
  if (Math.max(...setup.off) < CHECKERS) device?.ask(setup);
}

/** @returns {string} */
const shareUrl = () => `${data.urls.board}?xgid=${encodeURIComponent(setup.xgid)}`;

/** What was read, or what is wrong. @param {string} text @param {"good"|"bad"|""} mood @param {number|null} [column]  the character at fault, from 1 */
function tell(text, mood, column = null) {
  write(said, text);
  said.dataset.mood = mood;
  line.toggleAttribute("aria-invalid", false);
  if (mood === "bad") line.setAttribute("aria-invalid", "true");
  if (column === null) return;
  line.focus();
  line.setSelectionRange(column - 1, column);
}

/** Read what was pasted: a position, or a match. */
async function read() {
  if (!line.value.trim()) return;
  tell(say("Reading …"), "");
  showFaults([], 0, "");
  const { body } = await asker.send(data.urls.read, { text: line.value, shown: setup.xgid });
  if (body.error) tell(body.error.message, "bad", body.error.column ?? null);
  else if (body.url) await listFile(body, line.value);
  else {
    byId("analysis-decisions").hidden = true;
    tell(body.words, "good");
    arrive(finished(body.position));
  }
}

/** A whole position has come: it is shown, and asked about. @param {Setup} next */
function arrive(next) {
  change(next);
  clearTimeout(asking);
  asking = window.setTimeout(() => void ask(depth), ASK_AFTER_MS);
}

/** @param {File} file */
async function readFile(file) {
  if (file.size > data.file_most_bytes) return tell(say("A file may have {most} kB at most.", { most: Math.floor(data.file_most_bytes / 1024) }), "bad");
  tell(say("Reading …"), "");
  showFaults([], 0, "");
  const { body } = await asker.send(data.urls.file, { file });
  if (body.error) tell(body.error.message, "bad");
  else await listFile(body, await textOf(file));
}

/** A position of a file in a line. @param {any} decision @returns {string} */
function decisionText(decision) {
  if (decision.dice) return say("{game}.{number} {name} {dice}: {play}", decision);
  return decision.doubled ? say("{game}.{number} {name}: doubles", decision) : say("{game}.{number} {name}: cube", decision);
}

/** Wait for the positions of a file, and list them beside what is wrong with its text. @param {import("./analysis/ask.js").Question} question @param {string} text */
async function listFile(question, text) {
  const done = await asker.follow(question);
  if (!done) return;
  showFaults(done.faults, done.faults_count, text);
  byId("analysis-decisions").hidden = !done.file;
  if (!done.file) return tell(done.error?.message ?? say("No connection. Try again."), "bad");
  const { matches, decisions } = done.file;
  const groups = matches.map((/** @type {string[]} */ players, /** @type {number} */ index) => {
    const of = decisions.filter((/** @type {any} */ decision) => decision.match === index + 1);
    const options = of.map((/** @type {any} */ decision) => decisionOption(decision, players));
    if (matches.length === 1) return options;
    const group = make("optgroup", "", ...options);
    group.setAttribute("label", `${index + 1}. ${players.join(" – ")}`);
    return options.length ? [group] : [];
  });
  list.replaceChildren(...groups.flat());
  tell(sayCount("One decision was found.", "{count} decisions were found; choose one.", { count: decisions.length }), "good");
  list.selectedIndex = 0;
  list.focus();
  await open(list.value);
}

/** @param {any} decision @param {string[]} players @returns {HTMLElement} */
function decisionOption(decision, players) {
  const name = players[decision.seat] || say("Player {number}", { number: decision.seat + 1 });
  const option = make("option", "", decisionText({ ...decision, name, dice: decision.dice?.join("-") ?? "", play: decision.played }));
  option.setAttribute("value", decision.xgid);
  if (decision.dice) option.dataset.played = decision.played;
  return option;
}

/** Show a decision of the list, if it is still the chosen one when its answer comes. @param {string} xgid */
async function open(xgid) {
  const { body } = await asker.send(data.urls.read, { text: xgid, shown: setup.xgid });
  if (list.value !== xgid) return; // another one was chosen meanwhile
  if (!body.position) return;
  arrive(finished(body.position));
  choices.suggest(list.selectedOptions[0].dataset.played ?? "");
}

/** @param {string} wanted  a depth */
async function ask(wanted) {
  const asked = setup;
  depth = wanted;
  clearTimeout(asking);
  for (const each of document.querySelectorAll("[data-depth]")) each.setAttribute("aria-pressed", String(each.getAttribute("data-depth") === depth));
  const { body } = await asker.send(data.urls.ask, { ...(depth === "rollout" ? choices.fields() : {}), xgid: asked.xgid, depth });
  if (asked !== setup) return;
  if (depth === "rollout") choices.faults(body.error?.fields ?? {});
  if (body.error) return write(byId("analysis-said"), body.error.message);
  const done = await asker.follow(body, (now) => {
    stopUrl = now.stop_url ?? "";
    interim(now, asked.turn);
  });
  if (!done || asked !== setup) return;
  if (done.answer) {
    answered = asked;
    return answer.show(done.answer, asked.turn);
  }
  if (done.state !== "stopped") return write(byId("analysis-said"), done.error?.message ?? say("No connection. Try again."));
  interim(done, asked.turn);
  write(byId("analysis-said"), done.so_far ? say("Stopped. This is what the trials so far have given.") : say("Stopped before the first trials were over."));
}

/** What a rollout has given until now; drawn again only if there is more. @param {import("./analysis/ask.js").Question} now @param {0|1} turn */
function interim(now, turn) {
  if (now.so_far) answered = setup;
  if (!now.so_far || (answer.answer?.trials === now.so_far.trials && !answer.isOld)) return;
  answer.show(now.so_far, turn);
}

/** End the rollout that is under way; the page sees it at its next look. */
async function stop() {
  const { body } = await asker.send(stopUrl, {});
  if (body.error) write(byId("analysis-said"), body.error.message);
}

const copy = (/** @type {string} */ text) => copyText(text, byId("analysis-copied"), say("Copied"));

/** @type {Record<string, () => void>} */
const ways = {
  share: () => void copy(`${location.origin}${shareUrl()}`),
  copy: () => void copy(setup.xgid),
  undo: () => {
    const last = before.pop();
    if (last) show(last);
  },
  start: () => change(finished(data.start)),
  clear: () => change(cleared(setup)),
  mirror: () => change(mirrored(setup)),
};

for (const control of document.querySelectorAll("[data-go]")) {
  control.addEventListener("click", () => ways[control.getAttribute("data-go") ?? ""]());
}
for (const control of document.querySelectorAll("[data-depth]")) {
  control.addEventListener("click", () => void ask(control.getAttribute("data-depth") ?? ""));
}
byId("analysis-stop").addEventListener("click", () => void stop());
paste.addEventListener("submit", (event) => {
  event.preventDefault();
  void read();
});
line.addEventListener("paste", () => setTimeout(() => void read()));
line.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey) return;
  event.preventDefault();
  void read();
});
const chooser = /** @type {HTMLInputElement} */ (byId("analysis-file"));
chooser.addEventListener("change", () => {
  if (chooser.files?.[0]) void readFile(chooser.files[0]);
  chooser.value = "";
});
list.addEventListener("change", () => void open(list.value));
paste.addEventListener("dragover", (event) => event.preventDefault());
paste.addEventListener("drop", (event) => {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  void readFile(file);
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.target === line) return;
  event.preventDefault();
  ways.undo();
});
board.fit();
show(setup);
quick();
if (data.opened) arrive(setup);
