// @ts-check
/** The fields beside the board: cube, score, dice and who is on roll. */

import { finished } from "./position.js";

/** @typedef {import("./position.js").Setup} Setup */

export class Fields {
  /** @param {HTMLFormElement} form @param {() => Setup} setup @param {(setup: Setup) => void} change */
  constructor(form, setup, change) {
    this.form = form;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => {
      const name = /** @type {HTMLInputElement} */ (event.target).name;
      if (name !== "brush") change(this.read(setup()));
    });
  }

  /** @param {string} name @returns {HTMLInputElement} */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** The setup as the fields have it. @param {Setup} setup @returns {Setup} */
  read(setup) {
    const number = (/** @type {string} */ name) => Math.max(0, Math.min(999, Math.trunc(Number(this.field(name).value) || 0)));
    const owner = this.field("owner").value;
    const dice = this.field("dice").value;
    const length = number("length");
    return finished({
      ...setup,
      turn: this.field("turn").value === "1" ? 1 : 0,
      dice: dice ? dice.split("").map(Number) : null,
      length,
      score: [number("score-0"), number("score-1")],
      crawford: length > 0 && this.field("crawford").checked,
      jacoby: length === 0 && this.field("jacoby").checked,
      beavers: length === 0 && this.field("beavers").checked,
      cube: number("cube"),
      owner: owner === "" ? null : owner === "1" ? 1 : 0,
    });
  }

  /** @param {Setup} setup */
  write(setup) {
    const values = {
      turn: setup.turn, dice: setup.dice?.join("") ?? "", length: setup.length, cube: setup.cube, owner: setup.owner ?? "",
      "score-0": setup.score[0], "score-1": setup.score[1],
    };
    for (const [name, value] of Object.entries(values)) {
      const field = this.field(name);
      this.offer(field, String(value));
      field.value = String(value);
    }
    for (const name of /** @type {const} */ (["crawford", "jacoby", "beavers"])) this.field(name).checked = setup[name];
    for (const part of this.form.querySelectorAll("[data-of]")) {
      /** @type {HTMLElement} */ (part).hidden = (part.getAttribute("data-of") === "match") !== setup.length > 0;
    }
  }

  /** A value that was pasted and is not among the choices becomes one. @param {HTMLInputElement} field @param {string} value */
  offer(field, value) {
    if (!(field instanceof HTMLSelectElement) || [...field.options].some((option) => option.value === value)) return;
    field.add(new Option(value, value));
  }
}
