// @ts-check
/** Questions to the house: sent, and asked after until the answer is there. */

import { byId, write } from "../table/dom.js";
import { say, sayCount } from "../say.js";

/** Times between two looks: quick at first, because most answers are there at once. */
const LOOKS_MS = [150, 250, 400, 600, 1000];

/**
 * @typedef {object} Question
 * @property {string} url
 * @property {string} depth
 * @property {"waiting"|"working"|"done"|"stopped"|"failed"} state
 * @property {number|null} percent
 * @property {number|null} before
 * @property {boolean|null} worker
 * @property {import("./answer.js").Answer|null} answer
 * @property {import("./answer.js").Answer|null} so_far  what a rollout has given until now
 * @property {string|null} stop_url
 * @property {any} file
 * @property {import("./faults.js").Fault[]} faults
 * @property {number} faults_count  of all, of which `faults` are the first
 * @property {{message: string}|null} error
 */

/** What came of a request: a question, another answer, or what is wrong. @typedef {{status: number, body: any}} Reply */

export class Asker {
  /** @param {string} token  against forged requests */
  constructor(token) {
    this.token = token;
    this.asked = 0;
  }

  /** @param {string} url @param {Record<string, string|Blob>} fields @returns {Promise<Reply>} */
  async send(url, fields) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.fetched(url, { method: "POST", body, headers: { "X-CSRFToken": this.token, Accept: "application/json" } });
  }

  /** @param {string} url @param {RequestInit} [how] @returns {Promise<Reply>} */
  async fetched(url, how) {
    try {
      const response = await fetch(url, how);
      return { status: response.status, body: await response.json() };
    } catch {
      return { status: 0, body: { error: { message: say("No connection. Try again.") } } };
    }
  }

  /**
   * Ask after a question until it is answered; null if another one is asked meanwhile.
   * @param {Question} question @param {(now: Question) => void} [seen]  called at each look
   * @returns {Promise<Question|null>}
   */
  async follow(question, seen = () => {}) {
    this.asked += 1;
    const mine = this.asked;
    let now = question;
    for (let look = 0; now.state === "waiting" || now.state === "working"; look += 1) {
      this.tell(now);
      seen(now);
      await new Promise((resolve) => setTimeout(resolve, LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)]));
      if (mine !== this.asked) return null;
      const { status, body } = await this.fetched(question.url);
      if (mine !== this.asked) return null;
      if (status === 200) now = body;
      else if (status !== 0 && status < 500) return { ...now, state: "failed", error: body.error ?? { message: say("No connection. Try again.") } };
    }
    this.quiet();
    return now;
  }

  /** What is under way is not waited for any more. */
  stop() {
    this.asked += 1;
    this.quiet();
  }

  quiet() {
    byId("analysis-wait").hidden = true;
    byId("analysis-stop").hidden = true;
  }

  /** @param {Question} question */
  tell(question) {
    byId("analysis-wait").hidden = false;
    const progress = /** @type {HTMLProgressElement} */ (byId("analysis-progress"));
    if (question.percent === null) progress.removeAttribute("value");
    else progress.value = question.percent;
    byId("analysis-stop").hidden = !question.stop_url;
    let words = question.depth === "rollout" ? say("Waiting for a worker. Rollouts come after all other questions.") : say("Waiting in the queue …");
    if (question.so_far) words = say("Playing on: {trials} trials of each choice so far, {most} at most.", { trials: question.so_far.trials ?? 0, most: question.so_far.trials_most ?? 0 });
    else if (question.state === "working") words = say("The engine is searching …");
    else if (question.worker === false) words = say("No worker of this house is running. Your question waits; the answer appears here.");
    else if (question.before) words = sayCount("Waiting: one question is before yours.", "Waiting: {count} questions are before yours.", { count: question.before });
    write(byId("analysis-wait-text"), words);
  }
}
