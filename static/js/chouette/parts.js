// @ts-check
/** The viewer's part in the dice of a chouette: `Dice` of the tables, fed with views. */

import { Dice } from "../table/dice.js";
import { showSeal } from "../table/seal.js";

/** @typedef {import("./view.js").View} View */

export class Parts {
  /** @param {(frame: object) => void} send @param {string} record  address of the finished games' dice */
  constructor(send, record) {
    /** @type {0|1|null|undefined} */
    this.seat = undefined;
    /** Whether this game's dice have begun: what binds a side to its part comes before. */
    this.begun = false;
    this.dice = new Dice({
      send: (frame) => {
        if (!this.begun || /** @type {any} */ (frame).type === "dice_element") send(frame);
      },
      onSeal: (seal) => showSeal(seal, this.seat ?? null),
      record: () => record,
    });
  }

  /** @param {View} view */
  see(view) {
    const { fair, dice_seat: seat, seq } = view;
    if (seat !== this.seat) this.dice.heard({ type: "welcome", seat });
    this.seat = seat;
    if (!fair) return;
    this.begun = fair.open !== null;
    const rolling = seat !== null && fair.wanted[seat];
    this.dice.heard({ type: "snapshot", seq, view: { fair, phase: rolling ? "rolling" : "play" } });
  }
}
