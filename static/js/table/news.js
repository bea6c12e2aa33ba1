// @ts-check
/** The latest events in words: toasts for the eye, the status line for screen readers. */

import { byId } from "./dom.js";
import { announce, toast } from "./notices.js";
import { nameOf } from "./players.js";
import { say } from "../say.js";
import { minutes } from "./text.js";
import { seatAt, sideOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./session.js").TableEvent} TableEvent */

/** @param {View} view @param {0|1|null} seat @param {TableEvent[]} events */
export function announceEvents(view, seat, events) {
  const spoken = events.map((event) => tell(view, seat, event)).filter(Boolean);
  if (seat !== null && view.decider === seat && events.length) {
    if (view.phase === "roll" || view.phase === "roll_off") spoken.push(view.actions[seat].includes("double") ? say("Your turn: roll or double.") : say("Your turn"));
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
      return shown(say("{name} has sat down.", { name }));
    case "dice_rolled":
      return mine ? say("You rolled {dice}.", { name, dice: event.dice.join(", ") }) : say("{name} rolled {dice}.", { name, dice: event.dice.join(", ") });
    case "play_made":
      if (!event.moves.length) return shown(mine ? say("No legal move for you") : say("No legal move for {name}", { name }));
      if (event.forced && mine) return shown(say("That play was forced"));
      return mine ? "" : say("{name} played {text}.", { name, text: event.text });
    case "double_offered":
      return mine ? "" : say("{name} doubles to {value}", { name, value: event.value });
    case "beavered":
      return mine ? "" : say("{name} beavers to {value}", { name, value: event.value });
    case "raccooned":
      return mine ? "" : say("{name} raccoons to {value}", { name, value: event.value });
    case "rolled_off":
      return shown(rollOff(view, seat, event));
    case "rematch_offered":
      return mine ? "" : besidesCard(say("{name} wants a rematch", { name }));
    case "double_taken":
      return mine ? "" : shown(say("{name} takes. Cube on {value}", { name, value: event.value }));
    case "double_dropped":
      return mine ? "" : besidesCard(say("{name} drops", { name }));
    case "resignation_refused":
      return mine ? "" : shown(say("{name} plays on", { name }));
    case "taken_back":
      return mine ? "" : shown(say("{name} takes the last play back", { name }));
    case "player_left":
      return mine ? "" : besidesCard(say("{name} has left the table", { name }));
    case "time_ran_out":
      return besidesCard(mine ? say("You have run out of time") : say("{name} has run out of time", { name }));
    case "player_absent":
      return mine ? "" : shown(say("{name} has lost connection", { name }));
    case "player_back":
      return mine ? "" : shown(say("{name} is back", { name }));
    case "win_claimed":
      return mine ? "" : besidesCard(say("{name} has claimed the win", { name }));
    case "outage_credited":
      return shown(say("The server was down for {time}. Clocks were stopped; no one lost time.", { time: minutes(event.ended_ms - event.began_ms) }));
    case "player_stood_up":
      return mine ? "" : besidesCard(say("{name} has left the seat", { name }));
    default:
      return "";
  }
}

/** @param {View} view @param {0|1|null} seat @param {TableEvent} event @returns {string} */
function rollOff(view, seat, event) {
  const values = { me: event.dice[seatAt("me", seat)], op: event.dice[seatAt("op", seat)] };
  const starter = sideOf(seat, event.starter);
  if (starter === null) return say("Tie: {me} each. Roll again.", values);
  if (starter === "me" && seat !== null) return say("You start: {me} to {op}.", values);
  return say("{name} begins: {me} against {op}.", { ...values, name: nameOf(view, starter, seat) });
}

/** A text that the card of the result has, too: no toast while it is open. @param {string} text @returns {string} */
const besidesCard = (text) => (byId("result").hidden ? shown(text) : text);

/** @param {string} text @returns {string} */
function shown(text) {
  toast(text);
  return text;
}
