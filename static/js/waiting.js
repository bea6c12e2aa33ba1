// @ts-check
/* Waiting for an opponent: when the time is over the bot begins by itself, or its button becomes the main one. */

const card = /** @type {HTMLElement} */ (document.getElementById("wait"));
const go = /** @type {HTMLButtonElement} */ (document.getElementById("wait-go"));

/* Once a button is pressed, its answer leads on; one to a question from before would lead elsewhere. */
go.form?.addEventListener("submit", () => {
  const poll = document.getElementById("wait-poll");
  poll?.dispatchEvent(new CustomEvent("htmx:abort"));
  poll?.remove();
});

setTimeout(() => {
  if (card.dataset.begins === "yes") go.form?.requestSubmit(go);
  else go.classList.add("button-primary");
}, 1000 * Number(card.dataset.seconds));
