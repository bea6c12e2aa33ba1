// @ts-check
/**
 * Talk at the table: what was said, set phrases, a line of free text, what is new, and the dialogs about it.
 *
 * What people write is put into the page as text alone. A line that has had no answer is sent again, with the
 * same id, after the connection has come back; what comes twice has the same number and is shown once.
 */

import { moment } from "../dates.js";
import { byId, button, dialog, make, one, write } from "./dom.js";
import { sinceAnnounced, toast } from "./notices.js";
import { filled, say, word } from "../say.js";

/** @typedef {{id: number, name: string}} Person */
/**
 * @typedef {object} Message
 * @property {number} number
 * @property {Person} author
 * @property {0|1|null} seat
 * @property {"everybody"|"watchers"|"crew"} audience
 * @property {string|null} phrase
 * @property {string|null} text
 * @property {number} at_ms
 */
/** @typedef {{id: string, text?: string, phrase?: string, to?: string, game?: number}} Sent  a message of the reader's */
/** @typedef {{messages: Message[], muted: Person[], free_text: boolean, silenced_until_ms: number|null, warned_ms: number|null}} Chat */

const SHOWN_MAX = 200;
/** New messages are read out only after this long without another announcement. */
const QUIET_MS = 1500;

export class Talk {
  /**
   * @param {object} ways
   * @param {(frame: object) => boolean} ways.send
   * @param {() => boolean} ways.inSight  whether the panel can be seen
   * @param {(count: number) => void} ways.unread
   */
  constructor(ways) {
    this.ways = ways;
    const { person } = byId("room").dataset;
    /** The reader of this page. @type {number|null} */
    this.person = person ? Number(person) : null;
    this.messageDialog = new MessageDialog(ways.send);
    this.settings = new TalkSettings(ways.send);
    this.list = byId("talk-list");
    this.field = /** @type {HTMLInputElement} */ (byId("talk-field"));
    this.note = byId("talk-note");
    /** @type {Map<number, Message>} */
    this.messages = new Map();
    /** Messages that have been sent and not answered. @type {Map<string, Sent>} */
    this.pending = new Map();
    /** @type {Chat|null} */
    this.chat = null;
    this.seated = false;
    this.running = false;
    this.unread = 0;
    /** @type {string[]} */
    this.toRead = [];
    this.reading = 0;
    byId("talk-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text) this.speak({ text });
    });
    for (const each of byId("talk-phrases").querySelectorAll("button")) {
      each.addEventListener("click", () => this.speak({ phrase: each.value }));
    }
  }

  /** The connection stands: subscribe to the talk, send unanswered messages again. */
  begin() {
    this.ways.send({ type: "chat" });
    for (const said of this.pending.values()) this.ways.send({ type: "say", ...said });
  }

  /** @param {{text: string}|{phrase: string}} words */
  speak(words) {
    const said = { id: crypto.randomUUID(), ...words };
    if (!this.ways.send({ type: "say", ...said })) return;
    this.pending.set(said.id, said);
    write(this.note, "");
  }

  /** A frame about talk. @param {any} frame */
  take(frame) {
    if (frame.type === "chat") this.begun(frame);
    else if (frame.type === "said") this.said(frame);
    else if (frame.type === "unsaid") this.unsaid(frame);
    else if (frame.type === "reported") toast(say("Reported. The moderators will look at it."));
  }

  /** @param {Chat} chat */
  begun(chat) {
    this.settings.show(chat);
    const first = this.chat === null;
    const known = new Set(this.messages.keys());
    this.chat = chat;
    this.messages = new Map(chat.messages.map((message) => [message.number, message]));
    const fresh = first ? [] : chat.messages.filter(({ number }) => !known.has(number));
    this.draw();
    this.count(fresh);
    this.allow();
  }

  /** @param {Message & {id: string}} message */
  said(message) {
    const sent = this.pending.get(message.id);
    if (sent) this.arrived(sent);
    this.pending.delete(message.id);
    if (this.messages.has(message.number)) return;
    const bottom = this.atBottom();
    this.messages.set(message.number, message);
    this.list.append(this.line(message));
    while (this.list.children.length > SHOWN_MAX) this.list.firstElementChild?.remove();
    if (bottom || message.author.id === this.person) this.toBottom();
    byId("talk-empty").hidden = true;
    this.count([message]);
  }

  /** A message of the reader's is stored: the field is cleared, unless there is another line in it by now. @param {Sent} sent */
  arrived({ text }) {
    if (this.field.value.trim() === text) this.field.value = "";
  }

  /** @param {{id: string, code: string, reason?: string, until_ms?: number}} frame */
  unsaid(frame) {
    this.pending.delete(frame.id);
    const values = { until: frame.until_ms ? moment(frame.until_ms) : "" };
    write(this.note, filled(word("unsaid", frame.reason ?? frame.code), values));
  }

  /** New messages of others: marked if they are out of sight, and read out when the board is silent. @param {Message[]} messages */
  count(messages) {
    const others = messages.filter(({ author }) => author.id !== this.person);
    if (!others.length) return;
    if (!this.ways.inSight()) this.setUnread(this.unread + others.length);
    this.readLater(others);
  }

  /** @param {Message[]} messages */
  readLater(messages) {
    this.toRead.push(...messages.map((message) => this.inWords(message)));
    clearTimeout(this.reading);
    this.readOut();
  }

  readOut() {
    const wait_ms = QUIET_MS - sinceAnnounced();
    if (wait_ms > 0) {
      this.reading = setTimeout(() => this.readOut(), wait_ms);
      return;
    }
    write(byId("talk-status"), this.toRead.splice(0).join(" "));
  }

  /** A message as it is read out. @param {Message} message @returns {string} */
  inWords(message) {
    return say("{name} says: {text}", { name: message.author.name, text: wordsOf(message) });
  }

  /** The panel is in sight now. */
  seen() {
    this.setUnread(0);
    this.toBottom();
  }

  /** @param {number} count */
  setUnread(count) {
    this.unread = count;
    this.ways.unread(count);
  }

  /** The state of the table determines the audience of messages. @param {import("./view.js").View} view @param {0|1|null} seat */
  show(view, seat) {
    this.seated = seat !== null;
    this.running = !["open", "over", "closed"].includes(view.phase);
    this.allow();
  }

  /** People who may not write see the reason in the place of the field. */
  allow() {
    const { chat } = this;
    const person = this.person !== null;
    const silenced = Boolean(chat?.silenced_until_ms);
    const may = person && chat !== null && !silenced;
    byId("talk-form").hidden = !may || !chat.free_text;
    byId("talk-phrases").hidden = !may;
    byId("talk-guest").hidden = person;
    this.field.placeholder = this.seated || !this.running ? say("To everybody at this table") : say("To watchers only, until the match ends");
    button("talk_settings").disabled = !person || chat === null;
    if (silenced && chat) write(this.note, filled(word("unsaid", "silenced"), { until: moment(chat.silenced_until_ms ?? 0) }));
    const warned = byId("talk-warned");
    warned.hidden = !chat?.warned_ms;
  }

  draw() {
    this.list.replaceChildren(...[...this.messages.values()].map((message) => this.line(message)));
    byId("talk-empty").hidden = this.messages.size > 0;
    this.toBottom();
  }

  /** @param {Message} message @returns {HTMLElement} */
  line(message) {
    const mine = message.author.id === this.person;
    const name = make("bdi", "", mine ? say("You") : message.author.name);
    const line = make("li", mine ? "said own" : "said", make("b", "", name), " ");
    const beside = this.beside(message);
    if (beside) line.append(make("small", "", beside), " ");
    const words = make("span", "said-words", wordsOf(message));
    words.dir = "auto";
    line.append(words);
    if (!mine && this.person !== null) line.append(this.more(message));
    return line;
  }

  /** What stands beside the author's name. @param {Message} message @returns {string} */
  beside(message) {
    return message.seat === null ? say("(watching)") : "";
  }

  /** The button beside a message: mute, complain. @param {Message} message @returns {HTMLElement} */
  more(message) {
    const more = make("button", "said-more", "⋯");
    more.setAttribute("type", "button");
    more.setAttribute("aria-haspopup", "dialog");
    more.setAttribute("aria-label", say("Mute or report {name}", { name: message.author.name }));
    more.addEventListener("click", () => this.messageDialog.open(message));
    return more;
  }

  get scroller() {
    return one(".talk-scroll");
  }

  atBottom() {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < 40;
  }

  toBottom() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }
}

/** The text of a message, in the reader's language. @param {Message} message @returns {string} */
export const wordsOf = (message) => message.text ?? word("phrases", message.phrase ?? "");

/** Mute a person or report a message. */
class MessageDialog {
  /** @param {(frame: object) => boolean} send */
  constructor(send) {
    this.root = dialog("message-dialog");
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
    write(byId("message-title"), say("Message of {name}", { name }));
    write(byId("message-words"), wordsOf(message));
    write(button("mute"), say("Mute {name}", { name }));
    this.root.showModal();
  }
}

/** One's choices about chat. */
class TalkSettings {
  /** @param {(frame: object) => boolean} send */
  constructor(send) {
    this.send = send;
    this.root = dialog("talk-dialog");
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

  /** A muted person. @param {Person} person @returns {HTMLElement} */
  row({ id, name }) {
    const again = make("button", "button button-small", say("Unmute"));
    again.setAttribute("type", "button");
    again.setAttribute("aria-label", say("Unmute {name}", { name }));
    again.addEventListener("click", () => {
      this.send({ type: "mute", person: id, on: false });
      this.free.focus(); // the button goes away
    });
    return make("li", "", make("bdi", "", name), again);
  }
}
