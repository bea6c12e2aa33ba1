// @ts-check
/** The viewer's part in the dice of a chouette: `Dice` of the tables, fed with views, with its frames sent as commands. */

import { Dice } from "../table/dice.js";
import { showSeal } from "../table/seal.js";

/** @typedef {import("./view.js").View} View */

export class Parts {
  /** @param {{tell: (command: import("./link.js").Command) => void, record: string}} house  record: address of the finished games' dice */
  constructor({ tell, record }) {
    /** @type {0|1|null|undefined} */
    this.seat = undefined;
    this.dice = new Dice({
      send: (frame) => {
        const command = commandOf(frame);
        if (command) tell(command);
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
    const rolling = seat !== null && fair.wanted[seat];
    this.dice.heard({ type: "snapshot", seq, view: { fair, phase: rolling ? "rolling" : "play" } });
  }
}

/** @param {any} frame @returns {import("./link.js").Command|null} */
function commandOf({ type, game, value, n, element }) {
  if (type === "dice_tip") return { do: "tip", game, tip: value };
  if (type === "dice_element") return { do: "element", game, n, element };
  return null;
}
