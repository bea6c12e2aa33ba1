// @ts-check
/** Finding and filling the fixed places of the table page. */

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the table page has no #${id}`);
  return found;
}

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement} */
export function one(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`the table page has no ${selector}`);
  return /** @type {HTMLElement} */ (found);
}

/** Write a text; an unchanged one is left alone so that nothing is announced twice. @param {Element} place @param {string} text */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** @param {string} name @param {string} text */
export function writeFact(name, text) {
  for (const place of document.querySelectorAll(`[data-fact="${name}"]`)) write(place, text);
}

/** @param {string} name @returns {HTMLButtonElement} */
export const button = (name) => /** @type {HTMLButtonElement} */ (one(`[data-action="${name}"]`));

/**
 * An element with a class and children.
 * @param {string} tag @param {string} [name] @param {...(Node|string)} children @returns {HTMLElement}
 */
export function make(tag, name = "", ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/** @param {string} id @returns {HTMLDialogElement} */
export const dialog = (id) => /** @type {HTMLDialogElement} */ (byId(id));

/** A button of a dialog that closes it and then acts. @param {string} name @param {HTMLDialogElement} root @param {() => void} then */
export function closes(name, root, then) {
  button(name).addEventListener("click", () => {
    root.close();
    then();
  });
}

/** Put a text on the clipboard and say so. @param {string} text @param {Element} place @param {string} copied */
export async function copyText(text, place, copied) {
  try {
    await navigator.clipboard.writeText(text);
    write(place, copied);
  } catch {
    write(place, text); // no clipboard here: the text can be selected
  }
}
