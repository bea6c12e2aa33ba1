// @ts-check
/** The small net on the reader's own device: it answers at once, and without a connection once its files are there. */

/** @typedef {import("./answer.js").Answer} Answer */
/** @typedef {import("./position.js").Setup} Setup */
/** Where the worker and its files are. @typedef {{worker: string, contact: string, race: string}} Place */

export class Device {
  /** @param {Place} place @param {(answer: Answer, setup: Setup) => void} answered  called for the position that was asked about last */
  constructor(place, answered) {
    this.place = place;
    this.answered = answered;
    this.asked = 0;
    /** @type {Setup|null} */
    this.setup = null;
    this.worker = new Worker(place.worker, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
  }

  /** @param {Setup} setup  a game that is not over */
  ask(setup) {
    this.setup = setup;
    this.asked += 1;
    this.worker.postMessage({ number: this.asked, setup, files: this.place });
  }

  /** @param {{number: number, answer: Answer|null, seconds: number}} news */
  hear({ number, answer, seconds }) {
    if (number !== this.asked || !answer || !this.setup) return;
    this.answered({ ...answer, engine: "device", version: "", seconds }, this.setup);
  }
}
