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
    /** Whether this game's dice have begun: what binds a side to its part comes before. */
    this.begun = false;
    this.dice = new Dice({
      send: (frame) => {
        const command = commandOf(frame, this.begun);
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
    this.begun = fair.open !== null;
    const rolling = seat !== null && fair.wanted[seat];
    this.dice.heard({ type: "snapshot", seq, view: { fair, phase: rolling ? "rolling" : "play" } });
  }
}

/** @param {any} frame @param {boolean} begun @returns {import("./link.js").Command|null} */
function commandOf({ type, game, value, n, element }, begun) {
  if (type === "dice_tip" && !begun) return { do: "tip", game, tip: value };
  if (type === "dice_element") return { do: "element", game, n, element };
  return null;
}
