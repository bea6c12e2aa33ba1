// @ts-check
/* A link to give away (shell/link_row.html): a press copies it, or opens what the device shares with. */

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
    navigator.share({ title: share.dataset.title, url: field.value }).catch(() => {}); // given up by the person
  });
}
