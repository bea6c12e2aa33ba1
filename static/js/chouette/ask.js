// @ts-check
/** The band with a question: over the middle of the board, on a phone upright below it. */

import { drawRing } from "../table/clocks.js";
import { byId, make, one, write } from "../table/dom.js";
import { Span } from "./people.js";

/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("./questions.js").Choice} Choice */

/** A new question takes no answer at once: the finger may have been on its way to something else. */
const ARMED_AFTER_MS = 400;
const ASKS_FOR_MS = 4000;

export class Ask {
  /** @param {(choice: Choice) => void} answer */
  constructor(answer) {
    this.answer = answer;
    this.askTwice = false;
    this.root = byId("ask");
    this.buttons = byId("ask-choices");
    this.ring = /** @type {HTMLElement} */ (one(".ring", this.root));
    /** @type {Question|null} */
    this.question = null;
    this.free = true;
    this.armedAt_ms = 0;
    /** The answer that was pressed once and asks again. */
    this.asked = "";
    this.timer = 0;
    this.arming = 0;
    this.span = new Span();
  }

  /** @param {Question|null} question @param {boolean} free */
  show(question, free) {
    const isNew = question !== null && question.key !== this.question?.key;
    this.question = question;
    this.free = free;
    this.root.hidden = question === null;
    byId("play").classList.toggle("asks", question !== null);
    if (!question) return;
    if (isNew) this.begin();
    write(byId("ask-title"), question.title);
    write(byId("ask-text"), question.text);
    this.root.setAttribute("role", question.urgent ? "alertdialog" : "group");
    this.root.classList.toggle("urgent", question.urgent);
    this.drawChoices(question);
    if (isNew && question.urgent) byId("ask-title").focus({ preventScroll: true });
  }

  begin() {
    this.asked = "";
    this.armedAt_ms = performance.now() + ARMED_AFTER_MS;
    clearTimeout(this.arming);
    this.arming = setTimeout(() => this.question && this.drawChoices(this.question), ARMED_AFTER_MS + 10);
  }

  get armed() {
    return performance.now() >= this.armedAt_ms;
  }

  /** Buttons that are there stay: they may have the focus. @param {Question} question */
  drawChoices({ choices }) {
    const names = choices.map(({ name }) => name).join();
    if (this.buttons.dataset.names !== names) {
      this.buttons.dataset.names = names;
      this.buttons.replaceChildren(...choices.map((choice) => this.made(choice)));
    }
    choices.forEach((choice, i) => {
      const shown = /** @type {HTMLButtonElement} */ (this.buttons.children[i]);
      const asked = this.asked === choice.name;
      shown.className = ["button", choice.look && `button-${choice.look}`, asked && "asked"].filter(Boolean).join(" ");
      shown.disabled = !this.free || Boolean(choice.off) || !this.armed;
      write(shown, asked ? (choice.sure ?? choice.label) : choice.label);
    });
  }

  /** @param {Choice} choice @returns {HTMLElement} */
  made({ name }) {
    const made = make("button", "button");
    made.setAttribute("type", "button");
    made.dataset.choice = name;
    made.addEventListener("click", (event) => this.press(name, this.askTwice || /** @type {PointerEvent} */ (event).pointerType === "touch"));
    return made;
  }

  /** @param {string} name @param {boolean} twice  ask again before an answer with a second label */
  press(name, twice) {
    const choice = this.question?.choices.find((each) => each.name === name);
    if (!this.question || !choice || !this.free || choice.off || !this.armed) return;
    clearTimeout(this.timer);
    if (twice && choice.sure && this.asked !== name) {
      this.asked = name;
      this.timer = setTimeout(() => this.forget(), ASKS_FOR_MS);
      this.drawChoices(this.question);
      return;
    }
    this.forget();
    this.answer(choice);
  }

  forget() {
    this.asked = "";
    if (this.question) this.drawChoices(this.question);
  }

  /** The answer that Enter and Space give. */
  pressMain() {
    const main = this.question?.choices.find(({ look }) => look === "primary");
    if (main && main.name !== "sit") this.press(main.name, true);
  }

  /** @param {number} now_ms */
  tick(now_ms) {
    const end_ms = this.question?.ends_ms ?? null;
    this.ring.toggleAttribute("hidden", end_ms === null);
    if (end_ms === null) return;
    const { left_ms, share } = this.span.at(end_ms, now_ms);
    drawRing(this.ring, share, String(Math.ceil(left_ms / 1000)));
  }
}
