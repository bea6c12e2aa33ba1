// @ts-check
/* Notifies a reader on another page or window of a challenge or a called match, if they have chosen so in the settings. */

import { granted, tell } from "./notify.js";

const chosen = document.getElementById("challenges");
const house = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="application-name"]'))?.content ?? "";
const areas = [chosen, document.getElementById("calls")];
/** @type {Set<string>} */
const known = new Set();

/** Whether the reader has chosen notifications of challenges, and this browser may show them. */
const wanted = () => chosen?.dataset.notify === "on" && granted();

/** Read what waits in an area now; notify of what is new. @param {HTMLElement} area @param {boolean} first */
function look(area, first) {
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (area.querySelectorAll("[data-challenge]"))) {
    const id = row.dataset.challenge ?? "";
    if (known.has(id)) continue;
    known.add(id);
    const address = row.querySelector("a")?.getAttribute("href") ?? row.dataset.address ?? "/";
    if (!first && wanted()) void tell({ title: house, body: row.querySelector("span")?.textContent ?? "", tag: id, address });
  }
}

for (const area of areas) {
  if (!area) continue;
  look(area, true);
  area.addEventListener("htmx:afterSwap", () => look(area, false));
}
