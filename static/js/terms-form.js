// @ts-check
/* Forms for the terms of a table are fetched again when a field changes. What the reader has unfolded stays unfolded, and arrow keys move between the tiles of quick games. */

/** @type {Map<string, boolean>} */
const unfolded = new Map();

document.addEventListener("htmx:beforeSwap", () => {
  for (const fold of document.querySelectorAll("form[data-folds] details[id]")) unfolded.set(fold.id, /** @type {HTMLDetailsElement} */ (fold).open);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const fold of document.querySelectorAll("form[data-folds] details[id]")) if (unfolded.get(fold.id)) /** @type {HTMLDetailsElement} */ (fold).open = true;
});

const STEPS = new Map([
  ["ArrowUp", [-1, 0]],
  ["ArrowDown", [1, 0]],
  ["ArrowLeft", [0, -1]],
  ["ArrowRight", [0, 1]],
]);

document.addEventListener("keydown", (event) => {
  const step = STEPS.get(event.key);
  const cell = event.target instanceof Element ? event.target.closest(".tile")?.closest("td") : null;
  if (!step || !cell) return;
  const row = /** @type {HTMLTableRowElement} */ (cell.parentElement);
  const rows = /** @type {HTMLTableSectionElement} */ (row.parentElement).rows;
  const tile = rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex + step[1]]?.querySelector("button");
  if (!tile) return;
  event.preventDefault();
  tile.focus();
});

/* An amount is worked out while it is typed, and no field depends on it. Were the form fetched again when the reader leaves the field, the answer could undo what they do next. */
document.addEventListener(
  "change",
  (event) => {
    if (event.target instanceof HTMLInputElement && event.target.inputMode === "decimal") event.stopPropagation();
  },
  true,
);
