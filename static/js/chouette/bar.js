// @ts-check
/** The buttons below the board, or over its middle: take a move back, send the play, advise; and whom the table waits for. */

import { button, byId, write } from "../table/dom.js";
import { say } from "../say.js";
import { isRunning, namesOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../../board/draft.js").Draft} Draft */

/** @param {View} view @param {{free: boolean, draft: Draft|null}} page */
export function showBar(view, { free, draft }) {
  const { play, advise, sit } = view.actions;
  const begun = Boolean(draft?.steps.length);
  show("undo", Boolean(play || advise) && begun, free);
  show("send", Boolean(play) && draft !== null, free && Boolean(draft?.complete));
  show("advise", Boolean(advise) && !play && begun, free && Boolean(draft?.complete));
  show("sit", Boolean(sit) && isRunning(view), free);
  byId("actions").dataset.mode = play || (advise && begun) ? "play" : "none";
  write(byId("actions-note"), noteFor(view, draft));
}

/** @param {string} name @param {boolean} shown @param {boolean} enabled */
function show(name, shown, enabled) {
  const at = button(name);
  at.hidden = !shown;
  at.disabled = !enabled;
}

/** @param {View} view @param {Draft|null} draft @returns {string} */
function noteFor(view, draft) {
  if (!isRunning(view)) return "";
  if (view.actions.play || (view.actions.advise && draft?.steps.length)) {
    const owed = draft?.owed ?? [];
    return owed.length ? say("still to play: {dice}", { dice: owed.join(" ") }) : say("Play complete");
  }
  const others = view.waits_for.filter((id) => id !== view.me);
  if (!view.waits_for.length) return rollOff(view) || say("Rolling …");
  return others.length ? say("Waiting for {names}", { names: namesOf(view, others) }) : "";
}

/** Equal dice of the roll for the first turn are rolled again. @param {View} view @returns {string} */
function rollOff({ phase, roll_off }) {
  if (phase !== "roll_off" || !roll_off) return "";
  return roll_off[0] === roll_off[1] ? say("Equal ({box}–{team}): once more.", { box: roll_off[0], team: roll_off[1] }) : "";
}
