// @ts-check
/* Storing preferences: with the account, or in a cookie of a reader without one. The server does both. */

/** Choices that were kept on the device before accounts had preferences. */
const OLD_TABLE = "pasch.table";
const OLD_CHALLENGES = "pasch.notify.challenges";

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

/**
 * Move the choices of an older version from this device to the account or the cookie, once; what was chosen there stays.
 * @param {HTMLFormElement} form  any form of preferences
 * @returns {Promise<Record<string, unknown>|null>} all choices as they hold now; null: nothing was moved
 */
export async function moveOld(form) {
  const old = stored();
  const keys = Object.keys(old);
  if (!keys.length) return null;
  const body = new URLSearchParams({ keys: keys.join(" "), only_unset: "on" });
  body.set("csrfmiddlewaretoken", String(new FormData(form).get("csrfmiddlewaretoken") ?? ""));
  for (const [key, value] of Object.entries(old)) body.set(key, value === false ? "" : value === true ? "on" : String(value));
  const answer = await send(form, body);
  if (!answer || answer.status >= 500) return null;
  localStorage.removeItem(OLD_TABLE); // refused choices are removed, too: they were never valid
  localStorage.removeItem(OLD_CHALLENGES);
  return answer.ok ? answer.json() : null;
}

/** @returns {Record<string, unknown>} */
function stored() {
  try {
    const found = JSON.parse(localStorage.getItem(OLD_TABLE) ?? "{}");
    const old = found && typeof found === "object" && !Array.isArray(found) ? found : {};
    const challenges = localStorage.getItem(OLD_CHALLENGES);
    if (challenges) old.notify_challenges = challenges === "yes";
    return Object.fromEntries(Object.entries(old).filter(([key]) => KNOWN.has(key)));
  } catch {
    return {};
  }
}

/** All that an older version kept on the device. */
const KNOWN = new Set([
  "tap", "speed", "direction", "numbers", "pips", "highlights", "auto_confirm", "auto_forced", "always_roll", "ask_twice",
  "letters", "sounds", "notify", "notify_challenges",
]);
