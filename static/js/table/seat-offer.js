// @ts-check
/**
 * Somebody plays the house bot until a person comes: the card that says so, and asks when one has come. It stands
 * beside the board; where there is no side, below one's own strip, where it has its place from the start.
 */

import { byId, one } from "./dom.js";

/** Between two requests: while nobody has come, and while the question stands. */
const LOOK_MS = 15_000;
const ASK_MS = 3000;
const OWN_STRIP = '.play > [data-player="me"]';
/** So soon it is looked again whether a checker is still held. */
const HELD_MS = 100;

/** Keep the card as the server has it. @param {() => void} onOffer  a person has come */
export function attendOffers(onOffer) {
  const card = document.getElementById("seat-offer");
  if (!card) return;
  const side = byId("side");
  let timer = 0;
  /** What the card shows: the table that is offered, "none" while nobody has come, "goes" where both have sat down; null: the search is over. @returns {string|null} */
  const shown = () => /** @type {HTMLElement|null} */ (card.firstElementChild)?.dataset.offer ?? null;
  const asks = () => ![null, "none", "goes"].includes(shown());

  /** Fetch the card; a given answer is sent before. @param {FormData} [body] */
  const refresh = async (body) => {
    clearTimeout(timer);
    const source = card.dataset.source ?? "";
    if (body) await fetch(source, { method: "POST", body, redirect: "manual" }).catch(() => null);
    const part = await fetch(body ? `${source}?answered=1` : source).catch(() => null);
    if (part?.ok) show(/** @type {HTMLElement|null} */ (new DOMParser().parseFromString(await part.text(), "text/html").body.firstElementChild), body !== undefined);
    else again();
  };

  /** Show the card, as soon as no checker is held. @param {HTMLElement|null} part @param {boolean} answered  it says what the answer came to */
  const show = (part, answered) => {
    clearTimeout(timer);
    if (document.querySelector(".bg-dragging")) {
      timer = setTimeout(() => show(part, answered), HELD_MS);
      return;
    }
    const offer = part?.dataset.offer ?? null;
    if (offer === "goes" && shown() !== "goes") {
      location.assign(one("a", part ?? undefined).getAttribute("href") ?? "");
      return;
    }
    const before = shown();
    if (answered || offer !== before) card.replaceChildren(...(part ? [part] : []));
    place();
    if (asks() && !asked(before)) onOffer();
    again();
  };

  const asked = (/** @type {string|null} */ before) => before?.split(" ")[0] === shown()?.split(" ")[0];

  const again = () => {
    if (shown() !== null) timer = setTimeout(() => void refresh(), asks() ? ASK_MS : LOOK_MS);
  };

  /** Put the card where it can be seen. */
  const place = () => {
    card.hidden = shown() === null;
    card.classList.toggle("asks", asks());
    const beside = side.getClientRects().length > 0;
    if (beside && card.parentElement !== side) side.prepend(card);
    else if (!beside && !card.previousElementSibling?.matches(OWN_STRIP)) one(OWN_STRIP).after(card);
  };

  card.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter, target } = /** @type {SubmitEvent} */ (event);
    void refresh(new FormData(/** @type {HTMLFormElement} */ (target), submitter));
  });
  card.addEventListener("seat-offer:refresh", () => void refresh());
  addEventListener("resize", place);
  place();
  again();
}
