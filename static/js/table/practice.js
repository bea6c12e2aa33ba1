// @ts-check
/** Practice: the hint and taking back, with the card that shows the house bot's choice. */

import { byId, button, make, write } from "./dom.js";
import { announce } from "./notices.js";
import { say } from "./text.js";
import { isAlone } from "./view.js";

/** @typedef {import("./view.js").View} View */

const ADVISED = new Set(["roll", "play", "name_double", "double_offered"]);

export class Practice {
  /** @param {{ask: () => void, takeBack: () => void}} does */
  constructor({ ask, takeBack }) {
    this.card = byId("hint");
    /** The number of the event the hint belongs to. */
    this.about = 0;
    button("hint").addEventListener("click", ask);
    button("take_back").addEventListener("click", takeBack);
    button("close_hint").addEventListener("click", () => this.close());
  }

  /** @param {View} view @param {0|1|null} seat @param {{free: boolean, seq: number, drafting: boolean}} now */
  show(view, seat, { free, seq, drafting }) {
    const mine = seat !== null && view.decider === seat;
    const hint = button("hint");
    hint.hidden = !(mine && view.terms.practice && ADVISED.has(view.phase)) || drafting;
    hint.disabled = !free;
    const back = button("take_back");
    const mayTakeBack = isAlone(view) ? view.actions.flat() : view.actions[seat ?? 0];
    back.hidden = !mine || !view.terms.practice || drafting;
    back.disabled = !free || !mayTakeBack.includes("take_back");
    if (seq !== this.about) this.close();
  }

  /** @param {any} frame */
  told(frame) {
    this.about = frame.seq;
    const title = say(`hint_${frame.command}`, { number: frame.number ?? 0 });
    write(byId("hint-title"), title);
    byId("hint-plays").replaceChildren(...frame.plays.map(play));
    byId("hint-plays").hidden = !frame.plays.length;
    write(byId("hint-note"), frame.judged_by === "eye" ? say("hint_by_eye") : "");
    this.card.hidden = false;
    announce(frame.plays.length ? `${title}: ${frame.plays[0].text}` : title);
  }

  close() {
    this.card.hidden = true;
  }
}

/** One play of a hint and what it gives away. @param {{text: string, loss: number}} shown @returns {HTMLElement} */
function play({ text, loss }) {
  const behind = loss ? say("hint_loss", { loss: loss.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 3 }) }) : say("hint_best");
  return make("li", "", make("b", "", text), make("span", "muted", behind));
}
