// @ts-check
/** The page of a chouette table: the link to the server, the board, and everything around it. */

import { BgBoard } from "../board/board.js";
import { pips } from "../board/position.js";
import { AdviceList } from "./chouette/advice.js";
import { Ask } from "./chouette/ask.js";
import { showBar } from "./chouette/bar.js";
import { Cubes } from "./chouette/cubes.js";
import { Link } from "./chouette/link.js";
import { newsOf } from "./chouette/news.js";
import { showMessages, toast } from "./chouette/notices.js";
import { Parts } from "./chouette/parts.js";
import { Clocks, showPeople } from "./chouette/people.js";
import { Chosen, pickOf } from "./chouette/picks.js";
import { showPoints } from "./chouette/points.js";
import { questionFor } from "./chouette/questions.js";
import { Seats } from "./chouette/seats.js";
import { CircleTalk } from "./chouette/talk.js";
import { Tray } from "./chouette/tray.js";
import { WAY, boardState, called, isSeated } from "./chouette/view.js";
import { refreshBalance } from "./table/cards.js";
import { button, byId, one, write } from "./table/dom.js";
import { listenToKeys } from "./table/keyboard.js";
import { placeControls } from "./table/layout.js";
import { announce, showVeil } from "./table/notices.js";
import { MessageDialog, TalkSettings } from "./table/talk-dialogs.js";
import { lastPlay, minutes, say } from "./table/text.js";

/** @typedef {import("./chouette/view.js").View} View */
/** @typedef {import("./chouette/link.js").Command} Command */

const TICK_MS = 250;
/** A reminder that time is up is sent once in so long. */
const WAKE_EVERY_MS = 3000;
/** The server has its own alarm: the page reminds it a little later. */
const WAKE_AFTER_MS = 300;
const SPEEDS_MS = { off: 0, fast: 120, normal: 240, slow: 420 };

const room = byId("room");
const baseTitle = document.title;
/** The reader's choices for every table (accounts/preferences.py). @type {Partial<import("./table/settings.js").Choices>} */
const choices = JSON.parse(room.dataset.choices ?? "{}");

const link = new Link(
  {
    view: room.dataset.view ?? "",
    commands: room.dataset.do ?? "",
    socket: room.dataset.socket ?? "",
    token: /** @type {HTMLInputElement} */ (one('[name="csrfmiddlewaretoken"]', room)).value,
  },
  {
    onView: (before) => show(before),
    onRefused: (code, message) => refused(code, message),
    onOpen: () => talk.begin(),
    onTalk: (frame) => talked(frame),
    onState: () => {
      showVeil(link.lost, null);
      refresh();
    },
  },
);

const board = new BgBoard(byId("board"), { say });
Object.assign(board.preferences, {
  selectFirst: choices.tap === "select",
  direction: choices.direction === "left" ? -1 : 1,
  animation_ms: SPEEDS_MS[choices.speed ?? "normal"],
});
for (const name of /** @type {const} */ (["numbers", "pips", "highlights", "last_play"])) room.classList.toggle(`no-${name}`, choices[name] === false);

const give = (/** @type {Command} */ command) => link.give(command);
const parts = new Parts({ tell: (command) => void link.tell(command), record: room.dataset.dice ?? "" });
const tray = new Tray(board);
const chosen = new Chosen();
const cubes = new Cubes({ chosen, onChoice: () => refresh() });
const ask = new Ask(({ command }) => (command ? void give(command) : seats.askToSit()));
ask.askTwice = choices.ask_twice ?? false;
const seats = new Seats((command) => void give(command));
const advice = new AdviceList({
  draw: (arrows) => board.showArrows(arrows),
  agree: (player) => link.view && void give({ do: "agree", turn: link.view.turn, player }),
});
const sendTalk = (/** @type {object} */ frame) => link.send(frame);
const messageDialog = new MessageDialog(sendTalk);
const talkSettings = new TalkSettings(sendTalk);
/** @type {View} */
const first = JSON.parse(byId("chouette-view").textContent ?? "{}");
const talk = new CircleTalk({
  person: first.me,
  send: sendTalk,
  about: (message) => messageDialog.open(message),
  inSight: () => byId("side").getClientRects().length > 0 && document.visibilityState === "visible",
});
const clocks = new Clocks(() => announce(say("time_low")));

/** A view has come. @param {View|null} before  null: it is the first */
function show(before) {
  const { view } = link;
  if (!view) return;
  parts.see(view);
  board.set(boardState(view, !link.free), { animate: before !== null });
  if (before?.turn !== view.turn) advice.point(null);
  tray.show(view);
  showPoints(view);
  talk.follow(view);
  refresh();
  if (before) {
    const news = newsOf(before, view);
    if (news) announce(news);
  }
  if (before && view.games.length && view.games[0].number !== before.games[0]?.number) void refreshBalance();
  document.body.dataset.phase = view.phase;
  document.body.dataset.seq = String(view.seq);
}

/** Show what depends on the draft, the choices so far, or a command under way. */
function refresh() {
  const { view, free } = link;
  if (!view) return;
  if (board.state && board.state.locked === free) {
    board.state.locked = !free;
    board.drawMarksAndLabels();
  }
  const pick = pickOf(view);
  chosen.follow(pick);
  const draft = board.draft;
  cubes.show(view, pick, free);
  ask.show(questionFor(view, chosen), free);
  showBar(view, { free, draft });
  seats.show(view, free);
  advice.show(view, free);
  showPeople(view, draft?.steps.length ? pips(board.position(), WAY) : null);
  document.title = `${isMyTurn(view) ? `● ${say("your_turn")} · ` : ""}${baseTitle}`;
  document.body.dataset.free = String(free);
}

/** @param {View} view @returns {boolean} */
const isMyTurn = (view) => view.me !== null && view.waits_for.includes(view.me);

let woken_ms = -Infinity;

/** Remind the server of what is due. @param {View} view @param {number} now_ms */
function wake(view, now_ms) {
  const { clock } = view;
  const due = [view.deadline_ms, view.next_game_ms, clock && clock.delay_ends_ms + clock.bank_ms];
  const late = due.some((at) => at !== null && now_ms > at + WAKE_AFTER_MS);
  if (!late || !isSeated(view) || performance.now() - woken_ms < WAKE_EVERY_MS) return;
  woken_ms = performance.now();
  void link.tell({ do: "wake" });
}

setInterval(() => {
  const { view } = link;
  if (!view) return;
  const now_ms = link.now_ms();
  clocks.tick(view, now_ms);
  ask.tick(now_ms);
  wake(view, now_ms);
}, TICK_MS);

/** @param {string} code @param {string} message */
function refused(code, message) {
  if (code === "illegal_play") board.reset();
  if (code === "stale") toast(say("rejected_stale"));
  else toast(message || say("unreachable"));
}

/** @param {any} frame  about the talk */
function talked(frame) {
  if (frame.type === "reported") toast(say("talk_reported"));
  else if (frame.type === "error") toast(say(frame.code === "too_fast" ? "unsaid_talks_too_fast" : `rejected_${frame.code}`));
  else talk.take(frame);
  if (frame.type === "chat") talkSettings.show(frame);
}

/** A play is on the board: send it, or advise it. @param {import("./chouette/view.js").Move[]} moves */
async function played(moves) {
  const { view } = link;
  if (!view) return;
  if (view.actions.play) void give({ do: "play", turn: view.turn, moves });
  else if (view.actions.advise && (await give({ do: "advise", turn: view.turn, moves }))) {
    board.reset();
    toast(say("advised"));
  }
}

board.on("draft", (draft) => {
  if (draft?.steps.length && draft.complete) announce(say("play_complete"));
  refresh();
});
board.on("play", (moves) => void played(moves));
board.on("refused", (/** @type {number} */ place) => announce(say("cannot_move_there", { place: place === 25 ? say("bar") : place })));
board.on("layout", ({ layout, scale, box }) => placeControls(layout, scale, box));

button("undo").addEventListener("click", () => board.undo());
button("send").addEventListener("click", () => board.confirm());
button("advise").addEventListener("click", () => board.confirm());
button("keys").addEventListener("click", () => help());
button("flip").addEventListener("click", flip);
button("panel").addEventListener("click", () => openPanel(!room.classList.contains("panel-open")));
button("panel_close").addEventListener("click", () => openPanel(false));

/** The side as a sheet, on smaller screens. @param {boolean} open */
function openPanel(open) {
  room.classList.toggle("panel-open", open);
  button("panel").setAttribute("aria-expanded", String(open));
  if (open) button("panel_close").focus();
  else button("panel").focus();
  if (open) talk.seen();
}

function flip() {
  board.preferences.direction = board.preferences.direction === 1 ? -1 : 1;
  board.fit();
}

const help = () => /** @type {HTMLDialogElement} */ (byId("keys-dialog")).showModal();

/** Everybody's time, in words. @returns {string} */
function clocksInWords() {
  const people = link.view?.people.filter(({ bot }) => !bot) ?? [];
  return people.map(({ id, bank_ms }) => `${link.view ? called(link.view, id) : ""} ${minutes(bank_ms)}`).join(", ");
}

listenToKeys({
  confirm: () => (board.draft?.complete && board.draft.steps.length ? board.confirm() : ask.pressMain()),
  undo: () => board.undo(),
  swap: () => board.swap(),
  roll: () => ask.press("no_double", true),
  double: () => ask.press("double", true),
  flip,
  letters: () => choices.letters ?? true,
  help,
  readPips: () => link.view && announce(say("read_pips", pips(board.position(), WAY))),
  readLastPlay: () => announce(lastPlay(link.view)),
  readClocks: () => announce(clocksInWords()),
  readBoard: () => announce(board.describe()),
});

write(byId("table-title"), say("title"));
showMessages();
link.open(first);
