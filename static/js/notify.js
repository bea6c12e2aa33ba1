// @ts-check
/* Notifications: enabled by a press in the settings, stored on this device, shown only while the page is hidden. */

/** Whether this browser can show notifications at all. */
export const possible = () => "Notification" in window && window.isSecureContext;

/** Whether they may be shown now, without asking. */
export const granted = () => possible() && Notification.permission === "granted";

/** On phones and on home screens the worker alone can show notifications. */
const byWorker = () => matchMedia("(hover: none), (display-mode: standalone)").matches;

/** Ask the reader; only ever called by their own press. @returns {Promise<boolean>} */
export async function ask() {
  if (!possible()) return false;
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  if (answer === "granted" && byWorker()) await register();
  return answer === "granted";
}

/** Let the worker in, which also shows the page without a network. */
export async function register() {
  try {
    await navigator.serviceWorker?.register("/worker.js");
  } catch {
    // a browser without a worker shows notifications directly
  }
}

/**
 * Show a notification if the page is hidden and it was allowed. One with the same tag is replaced.
 * @param {{title: string, body: string, tag: string, address: string}} news  address: of the page to lead to
 */
export async function tell({ title, body, tag, address }) {
  if (!document.hidden || !granted()) return;
  if (byWorker()) {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.showNotification(title, { body, tag, data: { address }, icon: iconOf() });
    return;
  }
  const note = new Notification(title, { body, tag, icon: iconOf() });
  note.addEventListener("click", () => {
    window.focus();
    note.close();
    if (location.pathname !== address) location.assign(address);
  });
}

/** The house's sign, as the page's head names it. @returns {string|undefined} */
const iconOf = () => /** @type {HTMLLinkElement|null} */ (document.querySelector('link[rel="apple-touch-icon"]'))?.href;
