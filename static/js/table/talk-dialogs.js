// @ts-check
/** The dialogs of the talk: mute a person or report a message; one's choices about chat. */

import { byId, button, make, write } from "./dom.js";
import { say } from "./text.js";
import { wordsOf } from "./talk.js";

/** @typedef {import("./talk.js").Message} Message */
/** @typedef {import("./talk.js").Chat} Chat */

export class MessageDialog {
  /** @param {(frame: object) => boolean} send */
  constructor(send) {
    this.root = /** @type {HTMLDialogElement} */ (byId("message-dialog"));
    /** @type {Message|null} */
    this.message = null;
    button("mute").addEventListener("click", () => {
      if (this.message && send({ type: "mute", person: this.message.author.id, on: true })) this.root.close();
    });
    const form = /** @type {HTMLFormElement} */ (byId("report-form"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.message) return;
      const given = new FormData(form);
      const frame = { type: "report", message: this.message.number, reason: given.get("reason"), words: given.get("words") };
      if (send(frame)) this.root.close();
    });
  }

  /** @param {Message} message */
  open(message) {
    this.message = message;
    /** @type {HTMLFormElement} */ (byId("report-form")).reset();
    const { name } = message.author;
    write(byId("message-title"), say("talk_message_of", { name }));
    write(byId("message-words"), wordsOf(message));
    write(button("mute"), say("talk_mute", { name }));
    this.root.showModal();
  }
}

export class TalkSettings {
  /** @param {(frame: object) => boolean} send */
  constructor(send) {
    this.send = send;
    this.root = /** @type {HTMLDialogElement} */ (byId("talk-dialog"));
    this.free = /** @type {HTMLInputElement} */ (byId("talk-free"));
    this.free.addEventListener("change", () => send({ type: "free_text", on: this.free.checked }));
    button("talk_settings").addEventListener("click", () => this.root.showModal());
  }

  /** @param {Chat} chat */
  show(chat) {
    this.free.checked = chat.free_text;
    byId("muted-none").hidden = chat.muted.length > 0;
    byId("muted-list").replaceChildren(...chat.muted.map((person) => this.row(person)));
  }

  /** A muted person. @param {import("./talk.js").Person} person @returns {HTMLElement} */
  row({ id, name }) {
    const again = make("button", "button button-small", say("talk_hear_again"));
    again.setAttribute("type", "button");
    again.setAttribute("aria-label", say("talk_hear_again_of", { name }));
    again.addEventListener("click", () => {
      this.send({ type: "mute", person: id, on: false });
      this.free.focus(); // the button goes away
    });
    return make("li", "", make("bdi", "", name), again);
  }
}
