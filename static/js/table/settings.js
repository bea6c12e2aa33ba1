// @ts-check
/** A player's choices for the table: a dialog whose choices are stored by the server, with the account or in a cookie (accounts/preferences.py). */

import { ask } from "../notify.js";
import { byId, button, one } from "./dom.js";
import { toast } from "./notices.js";
import { say } from "../say.js";

/**
 * @typedef {object} Choices
 * @property {"play"|"select"} tap  whether a first tap plays or selects
 * @property {"off"|"fast"|"normal"|"slow"} speed
 * @property {"right"|"left"} direction  where checkers are borne off
 * @property {boolean} numbers  of the points
 * @property {boolean} pips
 * @property {boolean} highlights  of checkers that can move
 * @property {boolean} last_play  mark the last play on the board
 * @property {boolean} auto_confirm  a complete play is sent at once
 * @property {boolean} auto_forced  a play that is the only one is made by itself
 * @property {boolean} always_roll  even where doubling is possible
 * @property {boolean} ask_twice  before doubling and dropping, also without touch
 * @property {boolean} letters  single letters are commands
 * @property {boolean} sounds
 * @property {number} volume  0 to 100
 * @property {boolean} sound_roll
 * @property {boolean} sound_checker
 * @property {boolean} sound_hit
 * @property {boolean} sound_cube
 * @property {boolean} sound_turn
 * @property {boolean} sound_low
 * @property {boolean} sound_end  of a game: won or lost
 * @property {boolean} notify  show a notification outside of the page on one's turn
 */

export const SPEEDS_MS = { off: 0, fast: 120, normal: 240, slow: 420 };

/** Let the board, and the marks on it, look as the reader has chosen. @param {import("../../board/board.js").BgBoard} board @param {Partial<Choices>} choices */
export function applyChoices(board, choices) {
  Object.assign(board.preferences, {
    selectFirst: choices.tap === "select",
    direction: choices.direction === "left" ? -1 : 1,
    animation_ms: SPEEDS_MS[choices.speed ?? "normal"],
  });
  for (const name of /** @type {const} */ (["numbers", "pips", "highlights", "last_play"])) byId("room").classList.toggle(`no-${name}`, choices[name] === false);
}

export class Settings {
  /** @param {(choices: Choices) => void} apply */
  constructor(apply) {
    this.apply = apply;
    this.root = /** @type {HTMLDialogElement} */ (byId("settings-dialog"));
    this.form = /** @type {HTMLFormElement} */ (one("form", this.root));
    this.fields = /** @type {(HTMLInputElement|HTMLSelectElement)[]} */ ([...this.root.querySelectorAll("select, input[type=checkbox]")]);
    /** @type {Choices} */
    this.choices = JSON.parse(this.root.dataset.choices ?? "{}");
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
    this.apply(this.choices);
    if (!(await store(this.form))) toast(say("Not saved. Try again."));
  }

  /** Another choice made outside of the dialog. @param {Partial<Choices>} choices */
  set(choices) {
    Object.assign(this.choices, choices);
    this.fill(); // the dialog is what is read and stored
    void this.changed();
  }
}

/** Choices are stored in the order in which they were made. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Send the fields of a form; its `data-preferences` is the address, its `keys` names the preferences.
 * @param {HTMLFormElement} form @returns {Promise<boolean>} whether they are stored
 */
export async function store(form) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const sent = last.then(() => send(form, body));
  last = sent;
  return (await sent)?.ok ?? false;
}

/** @param {HTMLFormElement} form @param {URLSearchParams} body @returns {Promise<Response|null>} null: no answer came */
async function send(form, body) {
  const address = form.dataset.preferences ?? form.action;
  try {
    return await fetch(address, { method: "POST", headers: { Accept: "application/json" }, body, keepalive: true });
  } catch {
    return null;
  }
}
