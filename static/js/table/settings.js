// @ts-check
/** A player's choices for the table: a dialog whose choices are stored on this device. */

import { ask } from "../notify.js";
import { byId, button } from "./dom.js";

/**
 * @typedef {object} Choices
 * @property {"play"|"select"} tap  whether a first tap plays or selects
 * @property {"off"|"fast"|"normal"|"slow"} speed
 * @property {"right"|"left"} direction  where checkers are borne off
 * @property {boolean} numbers  of the points
 * @property {boolean} pips
 * @property {boolean} highlights  of checkers that can move
 * @property {boolean} auto_confirm  a complete play is sent at once
 * @property {boolean} auto_forced  a play that is the only one is made by itself
 * @property {boolean} always_roll  even where doubling is possible
 * @property {boolean} ask_twice  before doubling and dropping, also without touch
 * @property {boolean} letters  single letters are commands
 * @property {boolean} sounds
 * @property {boolean} notify  show a notification outside of the page on one's turn
 */

/** @type {Choices} */
const DEFAULTS = {
  tap: "play", speed: "normal", direction: "right", numbers: true, pips: true, highlights: true,
  auto_confirm: false, auto_forced: false, always_roll: false, ask_twice: false, letters: true, sounds: true, notify: false,
};
const STORED = "pasch.table";
export const SPEEDS_MS = { off: 0, fast: 120, normal: 240, slow: 420 };

export class Settings {
  /** @param {(choices: Choices) => void} apply */
  constructor(apply) {
    this.apply = apply;
    this.root = /** @type {HTMLDialogElement} */ (byId("settings-dialog"));
    this.fields = /** @type {(HTMLInputElement|HTMLSelectElement)[]} */ ([...this.root.querySelectorAll("[name]")]);
    /** @type {Choices} */
    this.choices = { ...DEFAULTS, ...stored(this.fields) };
    this.fill();
    this.root.addEventListener("change", () => void this.changed());
    button("settings").addEventListener("click", () => this.root.showModal());
    apply(this.choices);
  }

  fill() {
    for (const field of this.fields) {
      const value = this.choices[/** @type {keyof Choices} */ (field.name)];
      if (field instanceof HTMLInputElement) field.checked = value === true;
      else field.value = String(value);
    }
  }

  async changed() {
    for (const field of this.fields) {
      Object.assign(this.choices, { [field.name]: field instanceof HTMLInputElement ? field.checked : field.value });
    }
    if (this.choices.notify && !(await ask())) {
      this.choices.notify = false;
      this.fill();
    }
    try {
      localStorage.setItem(STORED, JSON.stringify(this.choices));
    } catch {
      // a browser that keeps nothing still uses the choices until the page is closed
    }
    this.apply(this.choices);
  }

  /** Another choice made outside of the dialog. @param {Partial<Choices>} choices */
  set(choices) {
    Object.assign(this.choices, choices);
    this.fill(); // the dialog is what is read and stored
    void this.changed();
  }
}

/** The stored choices, as far as the dialog has fields for them. @param {(HTMLInputElement|HTMLSelectElement)[]} fields @returns {Partial<Choices>} */
function stored(fields) {
  try {
    const found = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    const known = fields.filter((field) => {
      const value = found[field.name];
      if (field instanceof HTMLInputElement) return typeof value === "boolean";
      return [...field.options].some((option) => option.value === value);
    });
    return Object.fromEntries(known.map((field) => [field.name, found[field.name]]));
  } catch {
    return {};
  }
}
