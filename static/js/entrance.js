// @ts-check
/* Forms at the entrance: shows a password that is typed, and what a new one lacks, which the house checks all again; and
   the puzzle while many people come. */

const LEAST = 8;
const SIMILAR = 0.7;
/** What the house refuses whatever figures follow it; of the long list of the house the commonest. */
const TRIED_FIRST =
  /^(backgammon|gammon|pasch|tavla|doubling|doublingcube|password|passwort|iloveyou|qwertyui(op)?|qwertzui(op)?|sunshine|princess|football|baseball|superman|trustno1|starwars|computer|whatever|letmein|asdfghjk(l)?)?[0-9!.?]*$/;

/** How much two texts have in common, from 0 to 1: twice the letters of both, of all letters. @param {string} a @param {string} b */
function likeness(a, b) {
  const left = [...b];
  const common = [...a].filter((sign) => {
    const at = left.indexOf(sign);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * common.length) / (a.length + b.length);
}

/** Whether a password is too much like one of these texts or their parts. @param {string} password @param {string[]} texts */
function isLike(password, texts) {
  const parts = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}_]+/u)]).filter(Boolean);
  return parts.some((part) => likeness(password.toLowerCase(), part.toLowerCase()) >= SIMILAR);
}

/** @param {HTMLElement} place */
function prepare(place) {
  const input = /** @type {HTMLInputElement} */ (place.querySelector("input"));
  const button = /** @type {HTMLButtonElement} */ (place.querySelector("[data-reveal]"));
  const needs = /** @type {HTMLElement|null} */ (place.querySelector("[data-needs]"));
  const show = button.textContent;
  /** @param {boolean} shown */
  const reveal = (shown) => {
    input.type = shown ? "text" : "password";
    button.textContent = shown ? (button.dataset.hide ?? "") : show;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    reveal(input.type === "password");
    input.focus();
  });
  // so that no browser keeps it among what was typed before
  input.form?.addEventListener("submit", () => reveal(false));
  if (!needs) return;
  const help = /** @type {HTMLElement|null} */ (place.querySelector(".help"));
  input.form?.addEventListener("input", () => {
    const typed = input.value;
    const own = [...(place.dataset.own ?? "").split(" "), ...["username", "email"].map((name) => named(input.form, name))];
    needs.hidden = !typed;
    if (help) help.hidden = Boolean(typed);
    state(needs, "length", [...typed].length >= LEAST);
    state(needs, "own", !isLike(typed, own));
    state(needs, "used", !TRIED_FIRST.test(typed.toLowerCase()));
  });
}

/** What is typed in the field of this name. @param {HTMLFormElement|null} form @param {string} name */
function named(form, name) {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field.value : "";
}

/** @param {HTMLElement} needs @param {string} need @param {boolean} isMet */
function state(needs, need, isMet) {
  const line = /** @type {HTMLElement} */ (needs.querySelector(`[data-need="${need}"]`));
  if (line.dataset.met !== String(isMet)) line.dataset.met = String(isMet);
}

for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-password]"))) prepare(place);

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
