// @ts-check
/* Notifies a reader on another page or window of a challenge, if they have chosen so on this device; and the choice itself, on the account page. */

import { ask, granted, possible, tell } from "./notify.js";

const CHOICE = "pasch.notify.challenges";
const area = document.getElementById("challenges");
const choice = /** @type {HTMLInputElement|null} */ (document.getElementById("notify-challenges"));
/** @type {Set<string>} */
const known = new Set();

/** Whether the reader has chosen notifications of challenges. */
function wanted() {
  try {
    return localStorage.getItem(CHOICE) === "yes" && granted();
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function keep(on) {
  try {
    localStorage.setItem(CHOICE, on ? "yes" : "no");
  } catch {
    // a browser that keeps nothing tells nothing
  }
}

/** Read the present challenges; notify of new ones. @param {boolean} first */
function look(first) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (area?.querySelectorAll("[data-challenge]") ?? [])) {
    const id = row.dataset.challenge ?? "";
    if (known.has(id)) continue;
    known.add(id);
    const address = row.querySelector("a")?.getAttribute("href") ?? "/";
    if (!first && wanted()) void tell({ title: "Pasch", body: row.querySelector("span")?.textContent ?? "", tag: id, address });
  }
}

if (area) {
  look(true);
  area.addEventListener("htmx:afterSwap", () => look(false));
}

if (choice) {
  choice.checked = wanted();
  choice.disabled = !possible();
  const refused = /** @type {HTMLElement} */ (document.getElementById("notify-refused"));
  refused.hidden = possible() && Notification.permission !== "denied";
  choice.addEventListener("change", async () => {
    const on = choice.checked && (await ask());
    choice.checked = on;
    keep(on);
    refused.hidden = on || Notification.permission !== "denied";
  });
}
