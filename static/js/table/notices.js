// @ts-check
/** Short notices: toasts over the board, the status line for screen readers, the veil of a lost connection. */

import { byId, make, write } from "./dom.js";
import { say } from "../say.js";

const TOAST_MS = 3600;
const MESSAGE_MS = 9000;
/** A short interruption is not worth a veil. */
const VEIL_AFTER_MS = 400;

let announced_ms = -Infinity;
let newsTimer = 0;

/** How long ago the board was read out, in milliseconds. @returns {number} */
export const sinceAnnounced = () => performance.now() - announced_ms;

/** Announce a text to screen readers. @param {string} text */
export function announce(text) {
  announced_ms = performance.now();
  const status = byId("status");
  status.textContent = "";
  status.textContent = text;
}

/** Show a notice for a while; the same one twice is shown once. While the result is open it stands on its card, as long. @param {string} text @param {number} [stay_ms] */
export function toast(text, stay_ms = TOAST_MS) {
  if (document.querySelector("#result:not([hidden])")) {
    write(byId("result-news"), text);
    announce(text);
    clearTimeout(newsTimer);
    newsTimer = setTimeout(() => write(byId("result-news"), ""), stay_ms);
    return;
  }
  const root = byId("toasts");
  for (const old of root.children) if (old.textContent === text) old.remove();
  const shown = make("p", "toast", text);
  root.append(shown);
  announce(text);
  setTimeout(() => shown.remove(), stay_ms);
}

/** Show the messages of the page as toasts: there is no room above the board. */
export function showMessages() {
  for (const message of document.querySelectorAll("#messages .notice")) {
    toast(message.textContent?.trim() ?? "", MESSAGE_MS);
    message.remove();
  }
}

/** Say that frames take a slower way: once over the board, and in the panel until they no longer do. @param {boolean} slow */
export function showSlow(slow) {
  const line = byId("slow");
  if (slow && line.hidden) toast(line.textContent?.trim() ?? "", MESSAGE_MS);
  line.hidden = !slow;
}

let veilTimer = 0;

/** @param {boolean} lost @param {number|null} retry_at_ms @param {boolean} [refused]  for good */
export function showVeil(lost, retry_at_ms, refused = false) {
  const veil = byId("veil");
  clearTimeout(veilTimer);
  if (refused) {
    veil.hidden = false;
    write(byId("veil-text"), say("This table does not allow watchers."));
    return;
  }
  if (!lost) {
    veil.hidden = true;
    return;
  }
  const draw = () => {
    veil.hidden = false;
    const seconds = retry_at_ms === null ? 0 : Math.max(0, Math.ceil((retry_at_ms - Date.now()) / 1000));
    write(byId("veil-text"), seconds > 0 ? say("Connection lost. Trying again in {seconds} s", { seconds }) : say("Connection lost. Reconnecting …"));
    veilTimer = setTimeout(draw, 500);
  };
  veilTimer = setTimeout(draw, veil.hidden ? VEIL_AFTER_MS : 0);
}
