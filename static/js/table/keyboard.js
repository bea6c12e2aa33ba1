// @ts-check
/** Keys that work anywhere on the table page. Roll by Space never doubles. */

/**
 * @typedef {object} Keys
 * @property {() => void} confirm  Enter and Space: finish the play, or roll
 * @property {() => void} undo
 * @property {() => void} swap
 * @property {() => void} roll
 * @property {() => void} double
 * @property {() => void} flip
 * @property {() => boolean} letters  whether single letters are commands
 * @property {() => void} readPips
 * @property {() => void} readLastPlay
 * @property {() => void} readClocks
 * @property {() => void} readBoard
 * @property {() => void} help  "?": the list of these keys
 */

/** @param {Keys} keys */
export function listenToKeys(keys) {
  /** @type {Record<string, () => void>} */
  const actions = {
    Enter: keys.confirm, " ": keys.confirm, Backspace: keys.undo, z: keys.undo, s: keys.swap, r: keys.roll, d: keys.double,
    f: keys.flip, p: keys.readPips, l: keys.readLastPlay, t: keys.readClocks, b: keys.readBoard,
    "?": keys.help,
  };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, textarea, select")) return;
    const activates = event.key === "Enter" || event.key === " ";
    if (activates && target?.closest("button, a, summary")) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || (/^[a-z]$/i.test(event.key) && !keys.letters())) return;
    event.preventDefault();
    action();
  });
}
