// @ts-check
/** My decisions: how many are chosen, and the keys of the cards. All of it works as a form without this script. */

import { sayCount } from "./say.js";

const tray = /** @type {HTMLFormElement|null} */ (document.getElementById("decision-tray"));
const title = document.getElementById("tray-title");

/** @type {NodeListOf<HTMLInputElement>} */
const boxes = document.querySelectorAll(".decision-strip input");

function count() {
  const chosen = [...boxes].filter((box) => box.checked).length;
  if (title) title.textContent = sayCount("{count} chosen", "{count} chosen", { count: chosen });
}

/** The card with the focus, or the first one. @returns {Element|null} */
const card = () => document.activeElement?.closest(".decision-tile") ?? document.querySelector(".decision-tile");

/** What a key does. @type {Record<string, () => void>} */
const KEYS = {
  x: () => /** @type {HTMLInputElement|null} */ (card()?.querySelector(".decision-strip input"))?.click(),
  n: () => {
    const noting = /** @type {HTMLDetailsElement|null} */ (card()?.querySelector("details"));
    if (!noting) return;
    noting.open = true;
    noting.querySelector("textarea")?.focus();
  },
  l: () => document.getElementById("tray-name")?.focus(),
  e: () => document.getElementById("tray-exercises")?.focus(),
};

if (tray) {
  for (const box of boxes) box.addEventListener("change", count);
  count();
  document.addEventListener("keydown", (event) => {
    const typed = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
    if (typed || event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
