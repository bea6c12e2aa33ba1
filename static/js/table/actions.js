// @ts-check
/**
 * The buttons for what can be done now, in fixed slots.
 *
 * An answer to a decision that has just appeared is armed after a moment, so that a tap meant for
 * something else never answers it. On touch, doubling and dropping ask a second time.
 */

import { byId, button, write } from "./dom.js";
import { nameOf } from "./players.js";
import { noTakeBack, whyLine } from "./reasons.js";
import { say } from "../say.js";
import { sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../../board/draft.js").Draft} Draft */

const ARMED_AFTER_MS = 400;
const ASKS_FOR_MS = 4000;
const LONG_PRESS_MS = 550;

/** Button → the command it needs among the actions of my seat. */
const NEEDS = {
  undo: "play", done: "play", roll: "roll", double: "double", take: "take", drop: "drop", beaver: "beaver", raccoon: "raccoon",
  accept_resignation: "accept_resignation", refuse_resignation: "refuse_resignation", ready: "ready", stop: "stop",
};
/** Answers to something that came from the other side. */
const ANSWERS = new Set(["take", "drop", "beaver", "raccoon", "accept_resignation", "refuse_resignation", "ready", "stop"]);
const ASKED_ON_TOUCH = new Set(["double", "drop"]);

export class Actions {
  /**
   * @param {(name: string) => void} act
   * @param {{undoAll: () => void, nameDouble: (number: number) => void}} more
   */
  constructor(act, { undoAll, nameDouble }) {
    this.root = byId("actions");
    this.act = act;
    this.decision = "";
    this.armedAt_ms = 0;
    /** @type {string|null} */
    this.asked = null;
    this.timer = 0;
    /** Whether doubling and dropping ask a second time without touch, too. */
    this.askTwice = false;
    /** @type {() => void} */
    this.redraw = () => {};
    for (const name of Object.keys(NEEDS)) {
      button(name).addEventListener("click", (event) => this.press(name, /** @type {PointerEvent} */ (event)));
    }
    longPress(button("undo"), undoAll);
    this.numbers = /** @type {NodeListOf<HTMLButtonElement>} */ (this.root.querySelectorAll('[data-action="name_double"]'));
    for (const number of this.numbers) number.addEventListener("click", () => nameDouble(Number(number.value)));
  }

  /**
   * @param {View} view @param {0|1|null} seat
   * @param {{free: boolean, draft: Draft|null}} now
   */
  show(view, seat, { free, draft }) {
    this.redraw = () => this.show(view, seat, { free, draft });
    const allowed = seat === null ? [] : view.actions[seat];
    this.settleArming(view, allowed);
    const armed = performance.now() >= this.armedAt_ms;
    for (const [name, need] of Object.entries(NEEDS)) {
      const shown = button(name);
      shown.hidden = !allowed.includes(need);
      shown.disabled = !free || (ANSWERS.has(name) && !armed);
    }
    button("undo").disabled ||= !draft?.steps.length;
    button("done").disabled ||= !draft?.complete;
    for (const number of this.numbers) {
      number.hidden = !allowed.includes("name_double");
      number.disabled = !free;
    }
    this.label(view);
    this.root.dataset.mode = modeOf(allowed);
    write(byId("actions-note"), this.note(view, seat, allowed, draft));
    write(byId("why"), whyLine(view, seat));
    write(byId("why-take-back"), noTakeBack(view, seat));
    if (free) this.root.removeAttribute("aria-busy");
    else this.root.setAttribute("aria-busy", "true");
  }

  /** A new decision is armed after a moment. @param {View} view @param {string[]} allowed */
  settleArming(view, allowed) {
    const cube = view.cube.offered_value ?? view.cube.value;
    const decision = [view.match, view.game, view.phase, view.decider, cube, allowed].join("/");
    if (decision === this.decision) return;
    this.decision = decision;
    this.asked = null;
    this.armedAt_ms = performance.now() + ARMED_AFTER_MS;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.redraw(), ARMED_AFTER_MS + 10);
  }

  /** @param {View} view */
  label(view) {
    const value = 2 * view.cube.value;
    const next = 2 * (view.cube.offered_value ?? view.cube.value);
    const texts = {
      beaver: say("Beaver to {value}", { value: next }),
      raccoon: say("Raccoon to {value}", { value: next }),
      double: this.asked === "double" ? say("Really double to {value}?", { value }) : say("Double to {value}", { value }),
      drop: this.asked === "drop" ? say("Really drop?") : say("Drop"),
    };
    for (const [name, text] of Object.entries(texts)) {
      const place = button(name).querySelector("[data-label]");
      if (place) write(place, text);
      button(name).classList.toggle("asked", this.asked === name);
    }
  }

  /** The text in the place of the buttons. @param {View} view @param {0|1|null} seat @param {string[]} allowed @param {Draft|null} draft @returns {string} */
  note(view, seat, allowed, draft) {
    if (allowed.includes("play")) {
      const owed = draft?.owed ?? [];
      return owed.length ? say("still to play: {dice}", { dice: owed.join(" ") }) : say("Play complete");
    }
    if (modeOf(allowed) !== "none") return "";
    if (view.phase === "over" || view.phase === "closed") return overWords(view);
    if (view.phase === "rolling") return say("Rolling …");
    if (view.phase === "open") return seat === null ? say("A seat is free at this table") : say("Waiting for an opponent");
    if (view.decider === null) return "";
    const name = nameOf(view, /** @type {"me"|"op"} */ (sideOf(seat, view.decider)), seat);
    if (view.phase === "double_offered" || view.phase === "resignation_offered") return say("Waiting for the answer of {name}", { name });
    return say("{name} is to move", { name });
  }

  /** @param {string} name @param {PointerEvent} event */
  press(name, event) {
    if (ASKED_ON_TOUCH.has(name) && (this.askTwice || event.pointerType === "touch") && this.asked !== name) {
      this.asked = name;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        this.asked = null;
        this.redraw();
      }, ASKS_FOR_MS);
      this.redraw();
      return;
    }
    this.asked = null;
    this.act(name);
  }
}

/** What is over: a session, a single game or a match. @param {View} view @returns {string} */
function overWords(view) {
  if (view.terms.contest === "session") return say("The session is over");
  return view.terms.contest === "game" ? say("The game is over") : say("The match is over");
}

/** @param {string[]} allowed @returns {"play"|"roll"|"decision"|"none"} */
function modeOf(allowed) {
  if (allowed.includes("play")) return "play";
  if (allowed.includes("roll") || allowed.includes("name_double")) return "roll";
  return allowed.some((name) => ANSWERS.has(name)) ? "decision" : "none";
}

/** @param {HTMLButtonElement} pressed @param {() => void} then */
function longPress(pressed, then) {
  let timer = 0;
  let done = false;
  pressed.addEventListener("pointerdown", () => {
    done = false;
    timer = setTimeout(() => {
      done = true;
      then();
    }, LONG_PRESS_MS);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) pressed.addEventListener(end, () => clearTimeout(timer));
  pressed.addEventListener("click", (event) => done && event.stopImmediatePropagation(), { capture: true });
}
