// @ts-check
/* The sections of the rules are folded: the one of the address opens, and all of them before printing. */

const folds = /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.fold"));

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
  for (const fold of folds) fold.open = true;
});
