// @ts-check
/* Storing preferences: with the account, or in a cookie of a reader without one. The server does both. */

/** Choices are stored in the order in which they were made. @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Send the fields of a form; its `data-preferences` is the address, its `keys` names the preferences.
 * @param {HTMLFormElement} form @returns {Promise<boolean>} whether they are stored
 */
export async function store(form) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const sent = last.then(() => send(form, body));
  last = sent;
  return (await sent)?.ok ?? false;
}

/** @param {HTMLFormElement} form @param {URLSearchParams} body @returns {Promise<Response|null>} null: no answer came */
async function send(form, body) {
  const address = form.dataset.preferences ?? form.action;
  try {
    return await fetch(address, { method: "POST", headers: { Accept: "application/json" }, body, keepalive: true });
  } catch {
    return null;
  }
}
