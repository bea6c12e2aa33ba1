// @ts-check
/* The frame of every page. Everything in it works without this file; it only makes menus close by themselves. */

import { moment, second } from "./dates.js";
import { register } from "./notify.js";

/* On a home screen there is no browser's own page for a lost network: ours is kept there. */
if (matchMedia("(display-mode: standalone)").matches) void register();

const menus = () => /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-menu][open]"));

document.addEventListener("click", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

document.addEventListener("focusin", (event) => {
  for (const menu of menus()) {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  }
});

/* What is unfolded in a menu may lie below its edge. */
for (const choice of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.menu-choice"))) {
  choice.addEventListener("toggle", () => {
    if (choice.open) choice.scrollIntoView({ block: "nearest" });
  });
}

/* On a phone a row of tabs is wider than the screen: the current one is brought into view. */
for (const row of document.querySelectorAll(".tabs")) {
  const current = row.querySelector("[aria-current]")?.getBoundingClientRect();
  const seen = row.getBoundingClientRect();
  if (current && current.right > seen.right) row.scrollLeft += current.left - seen.left - (seen.width - current.width) / 2;
}

/* A form is sent once: a second press while the first is under way does nothing. After a download (data-download) the
   page stays, so its form may be sent again. */
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.hasAttribute("hx-post") || form.hasAttribute("data-download")) return;
  if (form.dataset.sent === "true") {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "true";
});

/* A page that comes back out of the browser's memory may be sent again. */
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete (/** @type {HTMLElement} */ (form).dataset.sent);
});

/* The server writes moments in UTC; here they become the time of the reader's zone. */

/** @param {ParentNode} root */
function localTimes(root) {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-local]"))) {
    time.title = time.textContent ?? "";
    time.textContent = ("seconds" in time.dataset ? second : moment)(new Date(time.dateTime));
    time.removeAttribute("data-local");
  }
}

localTimes(document);
document.addEventListener("htmx:load", (event) => localTimes(/** @type {HTMLElement} */ (event.target)));

/* The sections of the rules are folded: the one of the address opens, and all of them before printing. */

/** Open what the address names, or what it lies in. */
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  const fold = /** @type {HTMLDetailsElement|null|undefined} */ (named?.closest("details.fold") ?? named?.querySelector("details.fold"));
  if (!named || !fold || named.id === "content") return;
  fold.open = true;
  named.scrollIntoView();
}

openNamed();
addEventListener("hashchange", openNamed);
addEventListener("beforeprint", () => {
  for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.fold"))) fold.open = true;
});

/* A link or a line to give away (shell/link_row.html): a press copies it, or opens what the device shares with. */

for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-link-row]"))) {
  const field = /** @type {HTMLInputElement} */ (row.querySelector("input"));
  const said = /** @type {HTMLElement} */ (row.querySelector("[role=status]"));
  const copy = /** @type {HTMLElement} */ (row.querySelector("[data-action=copy]"));
  const share = /** @type {HTMLElement} */ (row.querySelector("[data-action=share]"));
  field.value ||= location.href.split(/[?#]/)[0];
  copy.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = row.dataset.copied ?? "";
    } catch {
      said.textContent = row.dataset.byHand ?? "";
    }
  });
  share.hidden = !navigator.share;
  share.addEventListener("click", () => {
    const shared = field.value.includes(" ") ? { text: field.value } : { url: field.value };
    navigator.share({ title: share.dataset.title, ...shared }).catch(() => {}); // given up by the person
  });
}
