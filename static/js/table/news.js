// @ts-check
/** The latest events in words: toasts for the eye, the status line for screen readers. */

import { byId } from "./dom.js";
import { announce, toast } from "./notices.js";
import { nameOf } from "./players.js";
import { minutes, say } from "./text.js";
import { seatAt, sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./session.js").TableEvent} TableEvent */

/** @param {View} view @param {0|1|null} seat @param {TableEvent[]} events */
export function announceEvents(view, seat, events) {
  const spoken = events.map((event) => tell(view, seat, event)).filter(Boolean);
  if (seat !== null && view.decider === seat && events.length) {
    if (view.phase === "roll" || view.phase === "roll_off") spoken.push(say(view.actions[seat].includes("double") ? "your_turn_cube" : "your_turn"));
  }
  if (spoken.length) announce(spoken.join(" "));
}

/** The words for an event; some also appear as a toast. @param {View} view @param {0|1|null} seat @param {TableEvent} event @returns {string} */
function tell(view, seat, event) {
  const side = sideOf(seat, event.seat ?? null);
  const mine = side === "me" && seat !== null;
  const name = side ? nameOf(view, side, seat) : "";
  switch (event.type) {
    case "player_sat":
      return shown(say("sat_down", { name }));
    case "dice_rolled":
      return say(mine ? "you_rolled" : "rolled", { name, dice: event.dice.join(", ") });
    case "play_made":
      if (!event.moves.length) return shown(say(mine ? "you_cannot_move" : "cannot_move", { name }));
      if (event.forced && mine) return shown(say("forced"));
      return mine ? "" : say("played", { name, text: event.text });
    case "double_offered":
      return mine ? "" : say("doubles_to", { name, value: event.value });
    case "beavered":
      return mine ? "" : say("beavers_to", { name, value: event.value });
    case "raccooned":
      return mine ? "" : say("raccoons_to", { name, value: event.value });
    case "rolled_off":
      return shown(rollOff(view, seat, event));
    case "rematch_offered":
      return mine ? "" : besidesCard(say("wants_rematch", { name }));
    case "double_taken":
      return mine ? "" : shown(say("takes", { name, value: event.value }));
    case "double_dropped":
      return mine ? "" : besidesCard(say("drops", { name }));
    case "resignation_refused":
      return mine ? "" : shown(say("refuses", { name }));
    case "taken_back":
      return mine ? "" : shown(say("took_back", { name }));
    case "player_left":
      return mine ? "" : besidesCard(say("left", { name }));
    case "time_ran_out":
      return besidesCard(say(mine ? "your_time_ran_out" : "time_ran_out", { name }));
    case "player_absent":
      return mine ? "" : shown(say("absent", { name }));
    case "player_back":
      return mine ? "" : shown(say("back", { name }));
    case "win_claimed":
      return mine ? "" : besidesCard(say("win_claimed", { name }));
    case "outage_credited":
      return shown(say("outage_credited", { time: minutes(event.ended_ms - event.began_ms) }));
    case "player_stood_up":
      return mine ? "" : besidesCard(say("stood_up", { name }));
    default:
      return "";
  }
}

/** @param {View} view @param {0|1|null} seat @param {TableEvent} event @returns {string} */
function rollOff(view, seat, event) {
  const values = { me: event.dice[seatAt("me", seat)], op: event.dice[seatAt("op", seat)] };
  const starter = sideOf(seat, event.starter);
  if (starter === null) return say("roll_off_equal", values);
  if (starter === "me" && seat !== null) return say("roll_off_you", values);
  return say("roll_off_other", { ...values, name: nameOf(view, starter, seat) });
}

/** A text that the card of the result has, too: no toast while it is open. @param {string} text @returns {string} */
const besidesCard = (text) => (byId("result").hidden ? shown(text) : text);

/** @param {string} text @returns {string} */
function shown(text) {
  toast(text);
  return text;
}
