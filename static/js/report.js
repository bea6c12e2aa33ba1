// @ts-check
/**
 * The report of a match: from decision to decision without loading the page anew.
 *
 * Every decision has an address of its own, and the server draws it; the script puts the piece into the
 * page. Without scripts the same links load the whole page.
 */

import { byId } from "./table/dom.js";

const WAIT_MS = 4000;

const root = byId("report");
const place = document.getElementById("decision");

// --- waiting for the analysis -------------------------------------------------------------------

/** Show how far it is; load the page anew as soon as another report is there, or its place in the queue has changed. */
async function watchStanding() {
  let before = "";
  for (;;) {
    const answer = await fetch("?part=standing").catch(() => null);
    const { percent, ...state } = answer?.ok ? await answer.json() : {};
    const told = answer?.ok ? JSON.stringify(state) : "";
    const bar = document.querySelector(".report-progress progress");
    if (bar && typeof percent === "number") bar.setAttribute("value", String(percent));
    if (told && before && told !== before) {
      location.reload();
      return;
    }
    before = told || before;
    await new Promise((done) => setTimeout(done, WAIT_MS));
  }
}
if (root.dataset.standing) void watchStanding();

// --- one decision -------------------------------------------------------------------------------

/** @type {[string, number, number, string][]} */
const points = JSON.parse(document.getElementById("report-points")?.textContent ?? "[]");
const slider = /** @type {HTMLInputElement|null} */ (document.getElementById("report-slider"));
const drawing = document.getElementById("report-chart");
const cursor = document.getElementById("report-cursor");
const tip = document.getElementById("report-tip");
let flip = new URLSearchParams(location.search).get("flip") === "1";
/** The decision that was asked for last; an answer to an earlier question is thrown away. */
let asked = "";
/** @type {Map<string, Promise<string>>} */
const known = new Map();

/** The key of the decision on the page. */
const shownKey = () => place?.querySelector("[data-key]")?.getAttribute("data-key") ?? "";

/** @param {string} key @returns {string} */
const query = (key) => `?d=${key}${flip ? "&flip=1" : ""}`;

/** @param {string} key @returns {Promise<string>} */
function piece(key) {
  const address = `${query(key)}&part=decision`;
  let found = known.get(address);
  if (!found) {
    found = fetch(address).then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(String(answer.status)))));
    found.catch(() => known.delete(address));
    known.set(address, found);
  }
  return found;
}

/** @param {string} key @param {{focus?: boolean}} [how] */
async function go(key, { focus = false } = {}) {
  if (!key || !place) return;
  asked = `${key}${flip}`;
  const mine = asked;
  let html;
  try {
    html = await piece(key);
  } catch {
    location.assign(query(key));
    return;
  }
  if (mine !== asked) return;
  const way = place.contains(document.activeElement) ? document.activeElement?.getAttribute("data-way") : null;
  place.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  history.replaceState(null, "", query(key));
  mark();
  const again = /** @type {HTMLElement|null} */ (way ? place.querySelector(`[data-way="${way}"]`) : null);
  if (again) again.focus({ preventScroll: true });
  else if (focus || way) byId("decision-title").focus({ preventScroll: true });
  for (const link of place.querySelectorAll('[data-way="n"], [data-way="ArrowRight"]')) {
    void piece(link.getAttribute("data-go") ?? "").catch(() => null);
  }
}

/** Show in the lists and on the chart which decision is on the board. */
function mark() {
  const key = shownKey();
  for (const link of document.querySelectorAll(".report-list a")) {
    if (link.getAttribute("data-go") === key) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const number = points.findIndex(([each]) => each === key);
  if (number < 0 || !slider || !cursor || !tip) return;
  const [, x, , chance] = points[number];
  slider.max = String(points.length - 1);
  slider.value = String(number);
  slider.setAttribute("aria-valuetext", `${key}: ${chance}`);
  cursor.setAttribute("d", `M${x} 24V238`);
  cursor.removeAttribute("hidden");
  tip.textContent = `${key}: ${chance}`;
}

/** The decision nearest to a place on the chart. @param {PointerEvent|MouseEvent} event @returns {number} */
function nearest(event) {
  const box = /** @type {Element} */ (drawing).getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * 1000;
  let best = 0;
  for (let i = 1; i < points.length; i += 1) {
    if (Math.abs(points[i][1] - x) < Math.abs(points[best][1] - x)) best = i;
  }
  return best;
}

/** Show the arrows of one of the plays, or those of the best and the one made again. @param {string} number */
function attempt(number) {
  const board = place?.querySelector(".report-board");
  if (!board || !place?.querySelector(`.report-try[data-try="${number}"]`)) return;
  const on = place.querySelector('.report-try[aria-pressed="true"]')?.getAttribute("data-try") !== number;
  if (on) board.setAttribute("data-trying", number);
  else board.removeAttribute("data-trying");
  for (const each of place.querySelectorAll(".report-try")) {
    each.setAttribute("aria-pressed", String(on && each.getAttribute("data-try") === number));
  }
}

/** Show the arrows of the play under the pointer, else those of the one that was pressed. @param {Event} event */
function hover(event) {
  const board = place?.querySelector(".report-board");
  const row = event.target instanceof Element ? event.target.closest("tr[data-try]") : null;
  const pressed = place?.querySelector('.report-try[aria-pressed="true"]');
  const number = (row ?? pressed)?.getAttribute("data-try");
  if (number) board?.setAttribute("data-trying", number);
  else board?.removeAttribute("data-trying");
}

/** @param {string} text */
async function copy(text) {
  const said = byId("report-copied");
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = "✓";
  } catch {
    said.textContent = text; // no clipboard here: the text can be selected
  }
}

/** @param {string} way  a key of the keyboard */
function step(way) {
  const link = place?.querySelector(`[data-way="${way}"]`);
  if (link) void go(link.getAttribute("data-go") ?? "");
}

/** @type {Record<string, () => void>} */
const ways = {
  n: () => step("n"),
  p: () => step("p"),
  ArrowRight: () => step("ArrowRight"),
  ArrowLeft: () => step("ArrowLeft"),
  Home: () => void go(points[0]?.[0] ?? ""),
  End: () => void go(points.at(-1)?.[0] ?? ""),
  a: () => /** @type {HTMLAnchorElement|null|undefined} */ (place?.querySelector("[data-analyse]"))?.click(),
  f: () => {
    flip = !flip;
    void go(shownKey());
  },
  "?": () => /** @type {HTMLDialogElement} */ (byId("keys-dialog")).showModal(),
};
for (const number of ["1", "2", "3", "4", "5", "6"]) ways[number] = () => attempt(number);

if (place) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select, .scroll")) return;
    const way = ways[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!way) return;
    event.preventDefault();
    way();
  });
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.target instanceof Element)) return;
    const link = event.target.closest("a[data-go]");
    const spot = event.target.closest("#report-chart [data-key]");
    if (link) {
      event.preventDefault();
      void go(link.getAttribute("data-go") ?? "", { focus: !link.hasAttribute("data-way") });
      if (!link.hasAttribute("data-way")) place.firstElementChild?.scrollIntoView({ block: "nearest" });
    } else if (spot) void go(spot.getAttribute("data-key") ?? "");
    else if (event.target.closest("#report-chart")) void go(points[nearest(event)][0]);
  });
  place.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const way = target?.closest("[data-try], [data-copy], [data-copy-link], [data-flip]");
    if (way?.hasAttribute("data-try")) attempt(way.getAttribute("data-try") ?? "");
    else if (way?.hasAttribute("data-copy")) void copy(way.getAttribute("data-copy") ?? "");
    else if (way?.hasAttribute("data-copy-link")) void copy(`${location.origin}${location.pathname}?d=${shownKey()}`);
    else if (way) {
      event.preventDefault();
      ways.f();
    }
  });
  place.addEventListener("pointerover", hover);
  place.addEventListener("pointerleave", hover);
  slider?.addEventListener("input", () => void go(points[Number(slider.value)][0]));
  drawing?.addEventListener("pointermove", (event) => {
    const [key, , , chance] = points[nearest(event)];
    if (tip) tip.textContent = `${key}: ${chance}`;
  });
  drawing?.addEventListener("pointerleave", mark);
  mark();
}
