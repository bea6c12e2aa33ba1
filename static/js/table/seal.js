// @ts-check
/** The small seal beside the moves: whether the dice of this match have been checked, and how many rolls. */

import { byId } from "./dom.js";
import { announce } from "./notices.js";
import { say } from "./text.js";

/** @param {import("./checks.js").Seal} seal @param {0|1|null} seat */
export function showSeal(seal, seat) {
  const mark = byId("seal");
  const look = seal.failure ? "broken" : seal.rolls ? "good" : "none";
  if (look === "broken" && mark.dataset.seal !== "broken") announce(say("seal_broken"));
  mark.dataset.seal = look;
  mark.hidden = look === "none";
  byId("seal-text").textContent = sealText(seal, seat);
}

/** @param {import("./checks.js").Seal} seal @param {0|1|null} seat @returns {string} */
function sealText(seal, seat) {
  if (seal.failure) return say("seal_broken");
  const checked = say("seal_checked", { count: seal.rolls });
  const away = seal.absent.flatMap((absent, side) => (absent ? [side] : []));
  if (!away.length) return checked;
  const who = away.length === 2 ? "seal_absent_both" : away[0] === seat ? "seal_absent_me" : "seal_absent_op";
  return `${checked} · ${say(who)}`;
}
