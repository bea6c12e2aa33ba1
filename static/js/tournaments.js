// @ts-check
/* Tournaments: the player's own part in a draw, and a draw calculated again; the page is kept fresh by live.js. */

import { keepFresh } from "./tournaments/live.js";

const text = new TextEncoder();
const WHOLE = 1n << 64n;

/** @param {Uint8Array} bytes */
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} words @returns {Promise<Uint8Array>} */
const sha256 = async (words) => new Uint8Array(await crypto.subtle.digest("SHA-256", text.encode(words)));

/** Give every form a part that this browser draws. */
function partsFill() {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-part]"))) {
    if (!field.value) field.value = hex(crypto.getRandomValues(new Uint8Array(16)));
  }
}

/**
 * The players in the order of a seed, as tournaments/engine/draws.py draws it.
 * @param {number[]} players @param {string} seed @returns {Promise<number[]>}
 */
async function shuffled(players, seed) {
  const order = [...players].sort((one, two) => one - two);
  let counter = 0;
  /** @param {number} many */
  const below = async (many) => {
    const limit = WHOLE - (WHOLE % BigInt(many));
    for (;;) {
      const drawn = BigInt(`0x${hex((await sha256(`pasch.tournament/${seed}/order/${counter++}`)).slice(0, 8))}`);
      if (drawn < limit) return Number(drawn % BigInt(many));
    }
  };
  for (let last = order.length - 1; last > 0; last--) {
    const other = await below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/**
 * What is wrong with a draw; nothing if it follows from the secret and the parts.
 * @param {{secret: string, commitment: string, seed: string, order: number[], entrants: {number: number, part: string, player: number}[]}} draw
 */
async function faults(draw) {
  const found = [];
  if (hex(await sha256(`pasch.tournament.secret/${draw.secret}`)) !== draw.commitment) found.push("commitment");
  const lines = [`pasch.tournament.seed/${draw.secret}`, ...draw.entrants.map((each) => `${each.number} ${each.part}`)];
  if (hex(await sha256(lines.join("\n"))) !== draw.seed) found.push("seed");
  const order = await shuffled(draw.entrants.map((each) => each.player), draw.seed);
  if (order.join() !== draw.order.join()) found.push("order");
  return found;
}

/** Calculate the draw of this page again, and say what came out. */
async function check() {
  const place = document.getElementById("draw-check");
  const source = document.getElementById("draw");
  if (!place || !source) return;
  const wrong = await faults(JSON.parse(source.textContent ?? ""));
  place.className = `notice notice-${wrong.length ? "danger" : "ok"}`;
  place.dataset.result = wrong.length ? "wrong" : "right";
  const said = place.querySelector("span");
  if (said) said.textContent = wrong.length ? `${place.dataset.wrong} ${wrong.join(", ")}` : (place.dataset.right ?? "");
}

/** How an element is found again after its part of the page was fetched anew. @param {Element|null} element */
const keyOf = (element) => element && (element.getAttribute("href") || `${element.getAttribute("name")}=${element.getAttribute("value")}`);
let focused = "";
/** How far each bracket was scrolled to the side, by its heading. @type {Map<string, number>} */
const scrolled = new Map();

/** The brackets of this page, with their headings. */
const brackets = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".rounds, .go-list"))];

/** Fetch nothing while nobody looks. @param {Event} event */
function pause(event) {
  if (document.hidden) event.preventDefault();
}

/** Remember what has the focus and what was scrolled, before its part is replaced. */
function remember() {
  for (const each of brackets()) scrolled.set(each.getAttribute("aria-labelledby") ?? "", each.scrollLeft);
  const place = document.getElementById("tournament") ?? document.getElementById("tournaments");
  focused = (place?.contains(document.activeElement) && keyOf(document.activeElement)) || "";
}

/** Give focus and scrolling back, and fill new forms. */
function renewed() {
  partsFill();
  for (const each of brackets()) each.scrollLeft = scrolled.get(each.getAttribute("aria-labelledby") ?? "") ?? 0;
  if (!focused) return;
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#tournament a, #tournament button, #tournaments a, #tournaments button"))) {
    if (keyOf(element) === focused) return element.focus({ preventScroll: true });
  }
}

partsFill();
document.body.addEventListener("htmx:beforeRequest", pause);
document.body.addEventListener("htmx:beforeSwap", remember);
document.body.addEventListener("htmx:afterSwap", renewed);
keepFresh();
void check();
