// @ts-check
/** The table page: a session with the server, the board, and everything around it. */

import { BgBoard } from "../board/board.js";
import { OWN, nameOf } from "../board/labels.js";
import { pips } from "../board/position.js";
import { Actions } from "./table/actions.js";
import { Band } from "./table/band.js";
import { AbsenceNotice, WaitingCard, refreshBalance } from "./table/cards.js";
import { Clocks } from "./table/clocks.js";
import { Dice } from "./table/dice.js";
import { ClaimDialog, GiveUpDialog, LeaveDialog, ResignDialog, closeStaleDialogs, leaveByTheDoor } from "./table/dialogs.js";
import { byId, button, dialog, one, write } from "./table/dom.js";
import { showFacts, showTitle } from "./table/facts.js";
import { Habits } from "./table/habits.js";
import { listenToKeys } from "./table/keyboard.js";
import { Tabs, attendBoard, fitKeyboard, sideSheet } from "./table/layout.js";
import { Settings, applyChoices } from "./table/settings.js";
import { MoveList } from "./table/moves.js";
import { announceEvents } from "./table/news.js";
import { announce, showMessages, showSlow, showVeil, toast } from "./table/notices.js";
import { showPlayers, showPresence } from "./table/players.js";
import { Practice } from "./table/practice.js";
import { noResigning, refusal, whyLine } from "./table/reasons.js";
import { ResultCard } from "./table/result.js";
import { attendOffers } from "./table/seat-offer.js";
import { MatchSession } from "./table/match-session.js";
import { Talk } from "./table/talk.js";
import { Sounds, soundOf } from "./table/sounds.js";
import { TextView } from "./table/textview.js";
import { lastPlay, minutes } from "./table/text.js";
import { say, sayCount } from "./say.js";
import { boardState, seatAt, timeLeft } from "./table/view.js";

/** @typedef {{type: string, [field: string]: any}} Command */

const room = byId("room");
const baseTitle = document.title;

const dice = new Dice({ send: (frame) => session.connection.send(frame) });
const session = new MatchSession(room.dataset.socket ?? "", {
  onFrame: (frame) => dice.heard(frame),
  onChange: (events, fresh) => show(events, fresh),
  onRejected: (code, frame) => rejected(code, frame),
  onHint: (frame) => practice.told(frame),
  onTalk: (frame) => talk.take(frame),
  onSynced: () => {
    showSlow(session.slow);
    talk.begin();
  },
  onPresence: () => {
    if (!session.view) return;
    showPresence(session.view, session.seat, session.online);
    refresh();
  },
  onConnection: () => {
    showVeil(!session.synced, session.retry_at_ms, session.refused);
    if (session.view) refresh();
  },
});

const board = new BgBoard(byId("board"), { labels: OWN });
const moves = new MoveList();
const band = new Band();
const waiting = new WaitingCard();
const result = new ResultCard();
const give = (/** @type {Command} */ command) => {
  const part = command.type === "roll" && session.free ? dice.element(session.view?.fair) : {};
  if (session.command({ ...command, ...part })) refresh();
};
const openPanel = sideSheet(() => talk.unread && tabs.choose("talk"));
const practice = new Practice({
  ask: () => session.connection.send({ type: "hint" }),
  takeBack: () => give({ type: "take_back" }),
  draw: (arrows) => board.showArrows(arrows),
  opened: (open) => {
    if (open && !byId("side").getClientRects().length) {
      room.classList.add("hinted");
      openPanel(true);
    } else if (!open && room.classList.contains("hinted")) {
      room.classList.remove("hinted");
      openPanel(false);
    }
  },
});
const resignDialog = new ResignDialog(give);
const leaveDialog = new LeaveDialog(give);
const claimDialog = new ClaimDialog(give);
const giveUpDialog = new GiveUpDialog(give);
const tabs = new Tabs((name) => name === "talk" && talk.seen());
const talk = new Talk({
  send: (frame) => session.connection.send(frame),
  inSight: () => tabs.inSight("talk"),
  unread: showUnread,
});
const absence = new AbsenceNotice(() => session.view && session.seat !== null && claimDialog.open(session.view, session.seat));
const actions = new Actions(act, {
  undoAll: () => board.reset(),
  nameDouble: (number) => give({ type: "name_double", number }),
});
const sounds = new Sounds();
const settings = new Settings((choices) => {
  sounds.on = choices.sounds;
  sounds.volume = choices.volume / 100;
  sounds.wanted = (name) => choices[name === "win" || name === "lose" ? "sound_end" : /** @type {const} */ (`sound_${name}`)];
  button("sound").setAttribute("aria-pressed", String(choices.sounds));
  button("sound").classList.toggle("on", choices.sounds);
  applyChoices(board, choices);
  actions.askTwice = choices.ask_twice;
  board.fit();
});
const habits = new Habits(board, { choices: () => settings.choices, roll: () => give({ type: "roll" }) });
const clocks = new Clocks({
  now_ms: () => session.now_ms(),
  onLow: () => {
    announce(say("20 seconds left."));
    sounds.play("low");
  },
  onTick: (now_ms) => {
    const view = session.view;
    if (!view) return;
    band.tick(view, now_ms);
    absence.show(view, session.seat, session.free, now_ms);
  },
});

/** The seat whose side the board showed last. @type {0|1|null} */
let near = null;

/** Show new events of the server. @param {import("./table/session.js").TableEvent[]} events @param {boolean} fresh */
function show(events, fresh) {
  const view = session.view;
  if (!view) return;
  const { seat } = session;
  if (view.successor && seat === 0) {
    location.replace(location.pathname); // leads to the table that was opened in place of this one
    return;
  }
  // where one player plays both sides the board turns to the decider: nothing slides over it
  const turned = Boolean(board.state) && seat !== near;
  near = seat;
  board.set(boardState(view, seat, !session.free), { animate: !fresh && !turned });
  moves.show(view, seat, session.log);
  band.show(view, seat);
  showPresence(view, seat, session.online);
  closeStaleDialogs(session.actions);
  refresh();
  if (!fresh) {
    announceEvents(view, seat, events);
    const sound = soundOf(events, seat, seat !== null && view.decider === seat && !habits.mine);
    if (sound) sounds.play(sound);
  }
  if (session.free) habits.see(view, seat, session.seq);
  if (events.some((event) => ["match_started", "match_settled", "match_voided"].includes(event.type))) void refreshBalance().then(refresh);
  document.body.dataset.phase = view.phase;
  document.body.dataset.myTurn = String(seat !== null && view.decider === seat);
  document.body.dataset.seq = String(session.seq);
}

/** Show what depends on the draft, the connection or a waiting command. */
function refresh() {
  const view = session.view;
  if (!view) return;
  const { seat, free } = session;
  if (board.state && board.state.locked === free) {
    board.state.locked = !free;
    board.drawMarksAndLabels();
  }
  const draft = board.draft;
  actions.show(view, seat, { free, draft });
  practice.show(view, seat, { free, seq: session.seq, drafting: Boolean(draft?.steps.length) });
  waiting.show(view, seat, free);
  result.show(view, seat, free);
  clocks.set(view, seat);
  talk.show(view, seat);
  absence.show(view, seat, free, session.now_ms());
  showPlayers(view, seat, draft?.steps.length ? pips(board.position(), view.way) : null);
  showFacts(view, seat, session.watchers);
  byId("envelope").hidden = seat === null || view.fair?.next !== 0 || ["over", "closed"].includes(view.phase);
  showTitle(view, seat, baseTitle);
  showFoot(free);
  inWords.show(summary(view));
  document.body.dataset.free = String(free);
}

/** The buttons below the list of moves. @param {boolean} free */
function showFoot(free) {
  const allowed = session.actions;
  const seated = session.seat !== null && !["over", "closed"].includes(session.view?.phase ?? "");
  button("stand_up").hidden = !allowed.includes("stand_up") || session.view?.phase === "open" || session.view?.phase === "over";
  button("leave").hidden = !allowed.includes("leave");
  button("resign").hidden = !allowed.includes("leave");
  button("resign").disabled = !free || !allowed.includes("offer_resignation");
  write(byId("resign-why"), session.view && allowed.includes("leave") ? noResigning(session.view, session.seat) : "");
  for (const name of ["leave", "stand_up"]) button(name).disabled = !free;
  one('[data-link="door"]').hidden = seated && !allowed.includes("stand_up");
}

/** @param {number} count  of messages not yet seen on this page */
function showUnread(count) {
  byId("unread").textContent = count ? String(count) : "";
  byId("tab-talk").setAttribute("aria-label", count ? sayCount("Chat, {count} new message", "Chat, {count} new messages", { count }) : say("Chat"));
  button("panel").toggleAttribute("data-unread", count > 0);
}

/** A button of the action slots was pressed. @param {string} name */
function act(name) {
  if (name === "undo") board.undo();
  else if (name === "done") board.confirm();
  else give({ type: name });
}

/** @param {string} code @param {{reason?: string, until_ms?: number}} [frame] */
function rejected(code, frame) {
  if (code === "illegal_play") board.reset();
  toast(refusal(code, frame?.reason, frame?.until_ms));
  show([], false);
}

/** Announcements available at any time; they are read out. */
const reading = {
  readPips: () => {
    const left = board.state ? pips(board.position(), board.state.way) : null;
    if (left) announce(say("Pips: you {me}, opponent {op}.", left));
  },
  readLastPlay: () => announce(lastPlay(session.view)),
  readClocks: () => {
    const view = session.view;
    if (!view) return;
    const left = (/** @type {"me"|"op"} */ side) => {
      const time = timeLeft(view.clock, seatAt(side, session.seat), session.now_ms());
      return minutes(time.delay_ms + time.reserve_ms);
    };
    announce(say("Time left: you {me}, opponent {op}.", { me: left("me"), op: left("op") }));
  },
  readBoard: () => announce(board.describe()),
};
const inWords = new TextView(board, {
  roll: () => pressed("roll"),
  double: () => pressed("double"),
  take: () => pressed("take"),
  drop: () => pressed("drop"),
  undo: () => board.undo(),
  done: () => board.confirm(),
  pips: reading.readPips,
  last: reading.readLastPlay,
  clocks: reading.readClocks,
  board: reading.readBoard,
});

/** How many moves of the draft lie on the board; each new one makes a sound. */
let placed = 0;
board.on("draft", (draft) => {
  const steps = draft?.steps ?? [];
  if (steps.length > placed) sounds.play("checker");
  placed = steps.length;
  if (steps.length) announce(draft.complete ? say("Play complete") : stepText(steps[steps.length - 1]));
  refresh();
  habits.drafted(draft);
});
board.on("play", (played) => give({ type: "play", moves: played }));
board.on("roll", () => give({ type: "roll" }));
attendBoard(board);

/** @param {[number, number, ...unknown[]]} step @returns {string} */
function stepText([from, to]) {
  return say("{from} to {to}", { from: nameOf(from), to: nameOf(to) });
}

button("flip").addEventListener("click", flip);
button("sound").addEventListener("click", () => {
  settings.set({ sounds: !settings.choices.sounds });
  sounds.play("checker");
});
button("resign").addEventListener("click", () => session.view && resignDialog.open(session.view, session.seat));
button("leave").addEventListener("click", () => session.view && leaveDialog.open(session.view, session.seat));
button("rematch").addEventListener("click", () => give({ type: "rematch" }));
button("cancel").addEventListener("click", () => give({ type: "stand_up" }));
button("stand_up").addEventListener("click", () => (room.dataset.tournament ? giveUpDialog.open() : give({ type: "stand_up" })));
fitKeyboard();
leaveByTheDoor(session, room.dataset.door ?? "");
attendOffers(() => sounds.play("turn"));
showMessages();

/** Turn the board round, and keep it so. */
function flip() {
  settings.set({ direction: settings.choices.direction === "left" ? "right" : "left" });
}

/** Carry out a button's action by key, if it can be pressed. @param {string} name */
function pressed(name) {
  const target = button(name);
  if (!target.hidden && !target.disabled) target.click();
}

/** Whose turn it is and what has been rolled, in words. @param {import("./table/view.js").View} view @returns {string} */
function summary(view) {
  const mine = session.seat !== null && view.decider === session.seat;
  const turn = mine ? (view.phase === "roll" && session.actions.includes("double") ? say("Your turn: roll or double.") : say("Your turn")) : byId("actions-note").textContent;
  const dice = view.dice ? say("rolled: {dice}", { dice: view.dice.join(", ") }) : "";
  const last = view.last_play?.text ? say("last play: {text}", { text: view.last_play.text }) : "";
  return [turn, dice, last, whyLine(view, session.seat)].filter(Boolean).join(" · ");
}

listenToKeys({
  confirm: () => (session.actions.includes("play") ? board.confirm() : pressed("roll")),
  undo: () => board.undo(),
  swap: () => board.swap(),
  roll: () => pressed("roll"),
  double: () => pressed("double"),
  flip,
  letters: () => settings.choices.letters,
  help: () => dialog("keys-dialog").showModal(),
  ...reading,
});

session.open();
