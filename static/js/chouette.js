// @ts-check
/** The page of a chouette table: the link to the server, the board, and everything around it. */

import { BgBoard } from "../board/board.js";
import { OWN } from "../board/labels.js";
import { pips } from "../board/position.js";
import { AdviceList } from "./chouette/advice.js";
import { Ask } from "./chouette/ask.js";
import { showBar } from "./chouette/bar.js";
import { Cubes } from "./chouette/cubes.js";
import { newsOf } from "./chouette/news.js";
import { Clocks, showPeople } from "./chouette/people.js";
import { Chosen, pickOf } from "./chouette/picks.js";
import { showPoints } from "./chouette/points.js";
import { questionFor } from "./chouette/questions.js";
import { Seats } from "./chouette/seats.js";
import { CircleTalk } from "./chouette/talk.js";
import { Tray } from "./chouette/tray.js";
import { WAY, boardState, called } from "./chouette/view.js";
import { moment } from "./dates.js";
import { refreshBalance } from "./table/cards.js";
import { Dice } from "./table/dice.js";
import { button, byId, dialog, write } from "./table/dom.js";
import { listenToKeys } from "./table/keyboard.js";
import { attendBoard, sideSheet } from "./table/layout.js";
import { announce, showMessages, showSlow, showVeil, toast } from "./table/notices.js";
import { Session } from "./table/session.js";
import { applyChoices } from "./table/settings.js";
import { lastPlay, minutes } from "./table/text.js";
import { filled, say, word } from "./say.js";

/** @typedef {import("./chouette/view.js").View} View */
/** @typedef {import("./table/session.js").Command} Command */

const TICK_MS = 250;

const room = byId("room");
const baseTitle = document.title;
/** The reader's choices for every table (accounts/preferences.py). @type {Partial<import("./table/settings.js").Choices>} */
const choices = JSON.parse(room.dataset.choices ?? "{}");

const session = /** @type {Session<View>} */ (
  new Session(room.dataset.socket ?? "", {
    onChange: () => show(),
    onRejected: (code, frame) => refused(code, frame),
    onOpen: () => talk.begin(),
    onSynced: () => showSlow(session.slow),
    onTalk: (frame) => talk.take(frame),
    onConnection: () => {
      showVeil(!session.synced, session.retry_at_ms, session.refused);
      refresh();
    },
  })
);

const board = new BgBoard(byId("board"), { labels: OWN });
applyChoices(board, choices);

/** The viewer's part in the dice: `Dice` of the tables, fed with views. */
class Parts {
  /** @param {(frame: object) => void} send @param {string} record  address of the finished games' dice */
  constructor(send, record) {
    /** @type {0|1|null|undefined} */
    this.seat = undefined;
    /** Whether this game's dice have begun: what binds a side to its part comes before. */
    this.begun = false;
    this.dice = new Dice({
      send: (frame) => {
        if (!this.begun || /** @type {any} */ (frame).type === "dice_element") send(frame);
      },
      record: () => record,
    });
  }

  /** @param {View} view */
  see(view) {
    const { fair, dice_seat: seat, seq } = view;
    if (seat !== this.seat) this.dice.heard({ type: "welcome", seat });
    this.seat = seat;
    if (!fair) return;
    this.begun = fair.open !== null;
    const rolling = seat !== null && fair.wanted[seat];
    this.dice.heard({ type: "snapshot", seq, view: { fair, phase: rolling ? "rolling" : "play" } });
  }
}

/** @param {Command} command @returns {Promise<boolean>} whether it was carried out */
async function give(command) {
  if (!session.command(command)) return false;
  refresh();
  return session.answered();
}
const send = (/** @type {object} */ frame) => session.connection.send(frame);
const parts = new Parts(send, room.dataset.dice ?? "");
const tray = new Tray(board);
const chosen = new Chosen();
const cubes = new Cubes({ chosen, onChoice: () => refresh() });
const ask = new Ask(({ command }) => (command ? void give(command) : seats.askToSit()));
ask.askTwice = choices.ask_twice ?? false;
const seats = new Seats((command) => void give(command));
const advice = new AdviceList({
  draw: (arrows) => board.showArrows(arrows),
  agree: (player) => session.view && void give({ type: "agree", turn: session.view.turn, player }),
});
const talk = new CircleTalk({
  send,
  inSight: () => byId("side").getClientRects().length > 0 && document.visibilityState === "visible",
});
const clocks = new Clocks(() => announce(say("20 seconds left.")));

/** The view that was shown last. @type {View|null} */
let before = null;

/** A view has come, or the answer to a command. */
function show() {
  const { view } = session;
  if (!view) return;
  parts.see(view);
  board.set(boardState(view, !session.free), { animate: before !== null });
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
  before = view;
}

/** Show what depends on the draft, the choices so far, or a command under way. */
function refresh() {
  const { view, free } = session;
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
  document.title = `${isMyTurn(view) ? `● ${say("Your turn")} · ` : ""}${baseTitle}`;
  document.body.dataset.free = String(free);
}

/** @param {View} view @returns {boolean} */
const isMyTurn = (view) => view.me !== null && view.waits_for.includes(view.me);

setInterval(() => {
  const { view } = session;
  if (!view) return;
  const now_ms = session.now_ms();
  clocks.tick(view, now_ms);
  ask.tick(now_ms);
}, TICK_MS);

/** @param {string} code @param {{reason?: string, until_ms?: number}} frame */
function refused(code, { reason, until_ms }) {
  if (code === "illegal_play") board.reset();
  toast(filled(word("refused", reason ?? code), { until: until_ms ? moment(until_ms) : "" }));
}

/** A play is on the board: send it, or advise it. @param {import("./chouette/view.js").Move[]} moves */
async function played(moves) {
  const { view } = session;
  if (!view) return;
  if (view.actions.play) void give({ type: "play", turn: view.turn, moves });
  else if (view.actions.advise && (await give({ type: "advise", turn: view.turn, moves }))) {
    board.reset();
    toast(say("The team sees your advice."));
  }
}

board.on("draft", (draft) => {
  if (draft?.steps.length && draft.complete) announce(say("Play complete"));
  refresh();
});
board.on("play", (moves) => void played(moves));
attendBoard(board);

button("undo").addEventListener("click", () => board.undo());
button("send").addEventListener("click", () => board.confirm());
button("advise").addEventListener("click", () => board.confirm());
button("keys").addEventListener("click", () => help());
button("flip").addEventListener("click", flip);
sideSheet(() => talk.seen());

function flip() {
  board.preferences.direction = board.preferences.direction === 1 ? -1 : 1;
  board.fit();
}

const help = () => dialog("keys-dialog").showModal();

/** Everybody's time, in words. @returns {string} */
function clocksInWords() {
  const people = session.view?.people.filter(({ bot }) => !bot) ?? [];
  return people.map(({ id, bank_ms }) => `${session.view ? called(session.view, id) : ""} ${minutes(bank_ms)}`).join(", ");
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
  readPips: () => session.view && announce(say("Pips: you {me}, opponent {op}.", pips(board.position(), WAY))),
  readLastPlay: () => announce(lastPlay(session.view)),
  readClocks: () => announce(clocksInWords()),
  readBoard: () => announce(board.describe()),
});

write(byId("table-title"), say("Chouette table"));
showMessages();
session.open();
