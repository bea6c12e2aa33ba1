// @ts-check
/**
 * Bringing matches: files, a folder or a text are chosen or dropped, sent one after the other and followed until a
 * worker has read and analysed them. What the house has already is not sent again, so an import that was cut off goes
 * on when the same files are chosen. Without scripts the form sends a few small files.
 */

import { say, sayCount } from "./say.js";
import { byId } from "./table/dom.js";

const LOOK_MS = 2000;

const root = byId("import");
const form = /** @type {HTMLFormElement} */ (root.querySelector("form"));
const token = /** @type {HTMLInputElement} */ (form.querySelector("[name=csrfmiddlewaretoken]")).value;
const files = /** @type {HTMLInputElement} */ (byId("import-files"));
const folder = /** @type {HTMLInputElement} */ (byId("import-folder"));
const paste = /** @type {HTMLTextAreaElement} */ (byId("import-paste"));
const state = byId("import-standing");

/** @typedef {{path: string, data: Blob, digest: string}} Chosen */

let sending = false;

/** @param {string} text */
function problem(text) {
  const place = byId("import-error");
  place.hidden = !text;
  place.textContent = text;
}

/** @param {string} text @param {number} percent */
function progress(text, percent) {
  byId("import-sending").hidden = !text;
  byId("import-status").textContent = text;
  byId("import-progress").setAttribute("value", String(percent));
}

/** What the house answers. Throws an `Error` with the words for the reader. @param {string} url @param {BodyInit} body @returns {Promise<any>} */
async function post(url, body) {
  const answer = await fetch(url, { method: "POST", body, headers: { "X-CSRFToken": token, "Content-Type": "application/octet-stream", Accept: "application/json" } }).catch(() => null);
  const told = await answer?.json().catch(() => null);
  if (answer?.ok && told) return told;
  throw new Error(told?.error?.message ?? say("No connection. Choose the same files again to go on."));
}

/** Where crypto is not allowed, everything is sent. @param {Blob} data @returns {Promise<string>} */
async function digestOf(data) {
  if (!crypto.subtle) return "";
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await data.arrayBuffer()));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {{path: string, data: Blob}[]} chosen @param {string} name */
async function bring(chosen, name) {
  if (sending || chosen.length === 0) return;
  sending = true;
  problem("");
  const refused = [];
  try {
    const most = Number(root.dataset.files);
    if (chosen.length > most) problem(sayCount("Only the first file is taken.", "Only the first {count} files are taken; bring the rest in another import.", { count: most }));
    progress(say("Looking at the files …"), 0);
    /** @type {Chosen[]} */
    const wanted = [];
    for (const each of chosen.slice(0, most)) wanted.push({ ...each, digest: await digestOf(each.data) });
    const list = wanted.map(({ path, digest, data }) => ({ path, digest, size: data.size }));
    const { id, here } = await post(String(root.dataset.begin), JSON.stringify({ name, files: list }));
    const missing = wanted.filter((each) => !each.digest || !here.includes(each.digest));
    for (const [index, each] of missing.entries()) {
      progress(say("Sending {number} of {count}: {path}", { number: index + 1, count: missing.length, path: each.path }), (100 * index) / missing.length);
      try {
        await post(`${root.dataset.begin}${id}/send/?path=${encodeURIComponent(each.path)}`, each.data);
      } catch (error) {
        if (!navigator.onLine) throw error;
        refused.push(`${each.path}: ${/** @type {Error} */ (error).message}`);
      }
    }
    await post(`${root.dataset.begin}${id}/close/`, "");
    if (refused.length) problem(refused.slice(0, 5).join(" · "));
  } catch (error) {
    problem(/** @type {Error} */ (error).message);
  } finally {
    sending = false;
    progress("", 0);
    await look();
  }
}

/** Show how far it is, and look again while something waits. */
async function look() {
  const answer = await fetch("?part=import").catch(() => null);
  if (answer?.ok) {
    const opened = state.querySelector("details")?.open;
    state.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    const details = state.querySelector("details");
    if (details && opened) details.open = true;
  }
  follow();
}

/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;

function follow() {
  clearTimeout(timer);
  if (state.querySelector("[data-waits]")) timer = setTimeout(() => void look(), LOOK_MS);
}

/** @param {FileList|null} list @returns {{path: string, data: Blob}[]} */
const chosenOf = (list) => Array.from(list ?? [], (file) => ({ path: file.webkitRelativePath || file.name, data: file }));

/** A name for all that was chosen. @param {{path: string}[]} chosen @returns {string} */
function nameOf(chosen) {
  const first = chosen[0]?.path ?? "";
  if (first.includes("/")) return first.split("/")[0];
  return chosen.length === 1 ? first : sayCount("{count} file", "{count} files", { count: chosen.length });
}

/** The files below what was dropped. @param {FileSystemEntry} entry @returns {Promise<{path: string, data: Blob}[]>} */
async function filesOf(entry) {
  if (entry.isFile) {
    const file = /** @type {FileSystemFileEntry} */ (entry);
    const data = await new Promise((done, failed) => file.file(done, failed)).catch(() => null);
    return data ? [{ path: entry.fullPath.replace(/^\//, ""), data }] : [];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const found = [];
  for (;;) {
    const part = /** @type {FileSystemEntry[]} */ (await new Promise((done) => reader.readEntries(done, () => done([]))));
    if (part.length === 0) return found;
    for (const each of part) found.push(...(await filesOf(each)));
  }
}

/** @param {{path: string, data: Blob}[]} chosen */
const start = (chosen) => void bring(chosen, nameOf(chosen));

for (const input of [files, folder]) {
  input.addEventListener("change", () => {
    const chosen = chosenOf(input.files);
    start(chosen);
    input.value = "";
  });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = paste.value;
  if (!text.trim()) return problem(say("Choose files or paste a text first."));
  const name = say("pasted text");
  paste.value = "";
  void bring([{ path: name, data: new Blob([text]) }], `${name} ${new Date().toLocaleTimeString()}`);
});

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    root.dataset.over = "";
  });
}
document.addEventListener("dragleave", (event) => {
  if (!(/** @type {DragEvent} */ (event).relatedTarget)) delete root.dataset.over;
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  delete root.dataset.over;
  const entries = Array.from(event.dataTransfer?.items ?? [], (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  void Promise.all(entries.map(filesOf)).then((found) => start(found.flat()));
});

root.dataset.script = "";
for (const hidden of root.querySelectorAll("[for=import-folder], #import-folder")) /** @type {HTMLElement} */ (hidden).hidden = false;
follow();
