// @ts-check
/** A notice over the board for a while; read out as well. */

import { byId, make } from "../table/dom.js";
import { announce } from "../table/notices.js";

const STAY_MS = 4500;

/** @param {string} text @param {number} [stay_ms] */
export function toast(text, stay_ms = STAY_MS) {
  const shown = make("p", "toast", text);
  byId("toasts").replaceChildren(shown);
  announce(text);
  setTimeout(() => shown.remove(), stay_ms);
}

/** Show the messages of the page: there is no room above the board. */
export function showMessages() {
  for (const message of document.querySelectorAll("#messages .notice")) {
    toast(message.textContent?.trim() ?? "", 2 * STAY_MS);
    message.remove();
  }
}
