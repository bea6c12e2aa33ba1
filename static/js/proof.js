// @ts-check
/* The puzzle of a form while many people come: a worker solves it from the first key on, or at once. */

const field = /** @type {HTMLInputElement|null} */ (document.querySelector("input[data-challenge]"));
const form = field?.form;

if (field && form) {
  const { challenge = "", bits = "", worker = "" } = field.dataset;
  const waiting = form.querySelector("[data-proof-waiting]");
  let begun = false;
  let asked = false;

  const begin = () => {
    if (begun) return;
    begun = true;
    const solver = new Worker(worker);
    solver.addEventListener("message", ({ data }) => {
      field.value = `${challenge}.${data}`;
      solver.terminate();
      if (asked) form.requestSubmit();
    });
    solver.postMessage({ challenge, bits: Number(bits) });
  };

  form.addEventListener("focusin", begin, { once: true });
  form.addEventListener("submit", (event) => {
    if (field.value) return;
    event.preventDefault();
    asked = true;
    if (waiting) /** @type {HTMLElement} */ (waiting).hidden = false;
    begin();
  });
  if ("atOnce" in field.dataset) form.requestSubmit();
}

export {};
