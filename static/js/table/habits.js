// @ts-check
/** Automatic actions that the player has chosen: rolling, forced plays, confirming, notifications. */

import { onlyPlay } from "../../board/draft.js";
import { tell } from "../notify.js";
import { toast } from "./notices.js";
import { say } from "../say.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./settings.js").Choices} Choices */

/** A forced play lies there for a moment before it is sent. */
const FORCED_FOR_MS = 600;

export class Habits {
  /**
   * @param {import("../../board/board.js").BgBoard} board
   * @param {{choices: () => Choices, roll: () => void}} page
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    /** The moment that has been dealt with; nothing is done twice on the same view. */
    this.done_seq = 0;
    this.mine = false;
  }

  /** A new view has come. @param {View} view @param {0|1|null} seat @param {number} seq */
  see(view, seat, seq) {
    const mine = seat !== null && view.decider === seat;
    if (mine && !this.mine) this.call(view, seat);
    this.mine = mine;
    if (!mine || seq <= this.done_seq) return;
    this.done_seq = seq;
    const choices = this.page.choices();
    if (choices.always_roll && ["roll", "roll_off"].includes(view.phase)) this.page.roll();
    if (choices.auto_forced && view.phase === "play") this.playForced();
  }

  /** Make the only play there is, show that it was forced, and send it. */
  playForced() {
    const { board } = this;
    const { draft, state } = board;
    if (!draft || !state || draft.steps.length || !board.canAct()) return;
    const walk = onlyPlay(draft.graph, state.position, state.pins);
    if (!walk?.length) return;
    toast(say("That play was forced"));
    board.play(walk);
    setTimeout(() => board.draft === draft && board.confirm(), FORCED_FOR_MS + board.duration);
  }

  /** A complete play goes out where that is wanted. @param {import("../../board/draft.js").Draft|null} draft */
  drafted(draft) {
    if (this.page.choices().auto_confirm && draft?.complete && draft.steps.length) this.board.confirm();
  }

  /** Notify a player on another page or window that it is their turn. @param {View} view @param {0|1} seat */
  call(view, seat) {
    if (!this.page.choices().notify) return;
    const body = view.players[seat === 0 ? 1 : 0]?.name ?? "";
    void tell({ title: say("Your turn"), body, tag: view.table, address: location.pathname });
  }
}
