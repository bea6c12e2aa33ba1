// @ts-check
/**
 * Somebody plays the house bot until a person comes: the card that says so, and asks when one has come. It stands
 * beside the board; where there is no side it lies over one's own strip while it asks, never over the board.
 */

import { byId, one } from "./dom.js";

/** Between two requests: while nobody has come, and while the question stands. */
const LOOK_MS = 15_000;
const ASK_MS = 3000;

/** Keep the card as the server has it. @param {() => void} onOffer  a person has come */
export function attendOffers(onOffer) {
  const card = document.getElementById("seat-offer");
  if (!card) return;
  const side = byId("side");
  let timer = 0;
  /** What the card shows: the table that is offered, "none" while nobody has come; null: the search is over. @returns {string|null} */
  const shown = () => /** @type {HTMLElement|null} */ (card.firstElementChild)?.dataset.offer ?? null;
  const asks = () => ![null, "none"].includes(shown());

  /** Fetch the card, or answer and fetch what follows. @param {RequestInit} [init] */
  const refresh = async (init) => {
    clearTimeout(timer);
    const before = shown();
    const answer = await fetch(card.dataset.source ?? "", init).catch(() => null);
    if (answer?.ok && !init) {
      const now = new DOMParser().parseFromString(await answer.text(), "text/html").body.firstElementChild;
      if ((/** @type {HTMLElement|null} */ (now)?.dataset.offer ?? null) !== before) card.replaceChildren(...(now ? [now] : []));
      place();
      if (asks() && shown() !== before) onOffer();
    }
    if (shown() !== null) timer = setTimeout(() => void refresh(), asks() ? ASK_MS : LOOK_MS);
  };

  /** Put the card where it can be seen. */
  const place = () => {
    card.hidden = shown() === null;
    const beside = !asks() || side.getClientRects().length > 0;
    const home = beside ? side : one(".play .notices");
    if (card.parentElement !== home) home.prepend(card);
  };

  card.addEventListener("submit", (event) => {
    const { submitter } = /** @type {SubmitEvent} */ (event);
    if (/** @type {HTMLButtonElement|null} */ (submitter)?.name !== "stay") return; // the answer leads to the other table
    event.preventDefault();
    const body = new FormData(/** @type {HTMLFormElement} */ (event.target), submitter);
    void refresh({ method: "POST", body }).then(() => refresh());
  });
  card.addEventListener("seat-offer:refresh", () => void refresh());
  addEventListener("resize", place);
  place();
  timer = setTimeout(() => void refresh(), asks() ? ASK_MS : LOOK_MS);
}
