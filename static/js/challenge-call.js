// @ts-check
/* Notifies a reader on another page or window of a challenge, if they have chosen so in the settings. */

import { granted, tell } from "./notify.js";

const area = document.getElementById("challenges");
/** @type {Set<string>} */
const known = new Set();

/** Whether the reader has chosen notifications of challenges, and this browser may show them. */
const wanted = () => area?.dataset.notify === "on" && granted();

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
