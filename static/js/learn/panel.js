// @ts-check
/** The panel beside the board of a lesson: the task, the answer, and the buttons. */

import { byId, make, write } from "../table/dom.js";
import { say } from "../say.js";

/** @typedef {import("./steps.js").Step} Step */
/** @typedef {import("./steps.js").Answer} Answer */
/** @typedef {import("./steps.js").Lesson} Lesson */

/**
 * @typedef {object} Wishes
 * @property {(key: string) => void} choose
 * @property {(text: string) => void} type
 * @property {() => void} show
 * @property {() => void} again
 * @property {() => void} next
 * @property {(number: number) => void} go
 */

/** How the reader stands to a step. @type {Record<string, string>} */
const STATES = {
  solved: say("solved"),
  shown: say("shown"),
  open: say("open"),
};

export class Panel {
  /** @param {Lesson} lesson @param {Wishes} wishes */
  constructor(lesson, wishes) {
    this.lesson = lesson;
    this.root = byId("lesson");
    this.choices = byId("lesson-choices");
    this.line = /** @type {HTMLInputElement} */ (byId("lesson-play"));
    this.form = /** @type {HTMLFormElement} */ (byId("lesson-form"));
    this.again = byId("lesson-again");
    this.next = /** @type {HTMLAnchorElement} */ (byId("lesson-next"));
    /** @type {Step} */
    this.step = lesson.steps[lesson.number - 1];
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const pressed = /** @type {HTMLButtonElement|null} */ (event.submitter);
      if (pressed?.name === "choice") wishes.choose(pressed.value);
      else if (pressed?.name === "show") wishes.show();
      else wishes.type(this.line.value.trim());
    });
    this.again.addEventListener("click", wishes.again);
    this.next.addEventListener("click", (event) => {
      event.preventDefault();
      if (this.next.hasAttribute("href")) wishes.next();
    });
    byId("lesson-steps").addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      wishes.go(Number(link.dataset.number));
    });
  }

  /** The token of the form, which every try is sent with. @returns {string} */
  get token() {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem("csrfmiddlewaretoken")).value;
  }

  /** Show a step that was not tried yet. @param {Step} step */
  open(step) {
    this.step = step;
    const total = this.lesson.steps.length;
    this.root.dataset.step = String(step.number);
    write(byId("lesson-at"), say("Step {number} of {total}", { number: step.number, total }));
    byId("lesson-say").replaceChildren(...step.parts.map(([text, emphasised]) => (emphasised ? make("b", "", text) : text)));
    write(byId("lesson-score"), step.score);
    byId("lesson-score").hidden = !step.score;
    this.choices.replaceChildren(...step.choices.map(({ key, label }) => choiceButton(key, label)));
    this.choices.hidden = !step.choices.length;
    byId("lesson-typed").hidden = step.choices.length > 0;
    this.line.value = "";
    this.put("ask", step.ask.title, step.ask.text);
    this.showSteps();
  }

  /** @param {Answer} answer */
  answer(answer) {
    this.put(answer.verdict, answer.title, answer.text);
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (this.choices.querySelectorAll("button"))) {
      if (button.value === answer.choice) button.dataset.verdict = answer.verdict;
      else delete button.dataset.verdict;
    }
    if (answer.verdict === "right") this.line.value = "";
    this.showSteps();
  }

  offline() {
    this.put("wrong", say("No connection. Try again."), "");
  }

  /** @param {Answer["verdict"]|"ask"} mood @param {string} title @param {string} text */
  put(mood, title, text) {
    this.root.dataset.mood = mood;
    byId("lesson-answer").dataset.verdict = mood;
    write(byId("lesson-answer-title"), title);
    write(byId("lesson-answer-text"), text);
    const over = mood === "right" || mood === "shown";
    const failed = mood === "wrong" || mood === "illegal";
    this.again.hidden = !failed;
    this.next.hidden = failed;
    if (over) this.next.href = this.lesson.steps[this.step.number]?.url ?? this.lesson.after;
    else this.next.removeAttribute("href");
    this.next.setAttribute("aria-disabled", String(!over));
    this.next.setAttribute("role", "link");
  }

  /** The bar of the steps, with the state of each. */
  showSteps() {
    for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#lesson-steps a"))) {
      const each = this.lesson.steps[Number(link.dataset.number) - 1];
      const current = each === this.step;
      link.dataset.state = each.state;
      if (current) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
      const words = [say("Step {number} of {total}", { number: each.number, total: this.lesson.steps.length }), STATES[each.state || "open"]];
      write(/** @type {Element} */ (link.firstElementChild), words.join(", "));
    }
  }

  focusNext() {
    this.next.focus();
  }

  focusChoice() {
    /** @type {HTMLElement|null} */ (this.choices.querySelector("button"))?.focus();
  }
}

/** @param {string} key @param {string} label @returns {HTMLElement} */
function choiceButton(key, label) {
  const made = /** @type {HTMLButtonElement} */ (make("button", "button", label));
  made.name = "choice";
  made.value = key;
  return made;
}
