// @ts-check
/** After a match, going back to the lobby or the tournament means standing up: no player stays seated at a table they have left. */

/** The way is not barred by a table that does not answer. */
const ANSWER_WITHIN_MS = 1500;

/** @param {import("./match-session.js").MatchSession} session @param {string} door  the path that leads out */
export function leaveByTheDoor(session, door) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? /** @type {HTMLAnchorElement|null} */ (event.target.closest("a[href]")) : null;
    if (!link || link.pathname !== door || link.origin !== location.origin) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (session.view?.phase !== "over" || !session.actions.includes("stand_up")) return;
    if (!session.command({ type: "stand_up" })) return;
    event.preventDefault();
    const go = () => location.assign(link.href);
    const late = setTimeout(go, ANSWER_WITHIN_MS);
    void session.answered().then(() => {
      clearTimeout(late);
      go();
    });
  });
}
