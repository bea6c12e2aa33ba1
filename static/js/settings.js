// @ts-check
/* The settings page: each change is stored at once, and look and language change with it. */

import { ask, possible } from "./notify.js";
import { store } from "./table/settings.js";

const status = /** @type {HTMLElement} */ (document.getElementById("settings-status"));
const refused = /** @type {HTMLElement|null} */ (document.getElementById("notify-refused"));
const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-preferences]"));
const root = document.documentElement;

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-without-script]"))) place.hidden = true;

/** @param {boolean} saved */
function tell(saved) {
  status.dataset.state = saved ? "saved" : "failed";
  status.textContent = (saved ? status.dataset.saved : status.dataset.failed) ?? "";
}

/** Show a choice of the look on this very page. @param {HTMLInputElement} field */
function look(field) {
  if (["theme", "board", "checkers"].includes(field.name)) root.setAttribute(`data-${field.name}`, field.value);
}

for (const form of forms) {
  form.addEventListener("change", async (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.name.startsWith("notify") && field.checked) {
      field.checked = await ask();
      if (refused) refused.hidden = field.checked || (possible() && Notification.permission !== "denied");
    }
    look(field);
    const saved = await store(form);
    tell(saved);
    if (saved && field.name === "notify_challenges") document.getElementById("challenges")?.setAttribute("data-notify", field.checked ? "on" : "off");
    if (saved && field.name === "language") location.reload();
  });
}
