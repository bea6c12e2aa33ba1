// @ts-check
/**
 * The talk of a chouette: to everybody at the table, or to the crew of the running game.
 *
 * Each has a tab and a line of its own to write in, so that nothing for the crew goes to the table by mistake. The
 * server sends the crew's messages to its members alone.
 */

import { button, byId, write } from "../table/dom.js";
import { Talk, wordsOf } from "../table/talk.js";
import { say, sayCount, word } from "../say.js";
import { advisersOf, isSeated } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("../table/talk.js").Message} Message */
/** @typedef {"everybody"|"crew"} Room */

/** @type {Record<Room, string>} */
const TAB = { everybody: "tab-talk", crew: "tab-crew" };
/** @type {Record<Room, string>} */
const UNREAD = { everybody: "unread", crew: "unread-crew" };
/** @type {Room[]} */
const ROOMS = ["everybody", "crew"];

/** Who writes to the crew, and when. @type {Record<string, string>} */
const CREW_WRITES = {
  never: say("Nobody advises at this table."),
  own_cube: say("While a play of the team is due, the captain and all whose own cube was turned write here."),
  one_cube: say("While a play of the team is due, captain and crew write here once the cube was turned."),
  always: say("While a play of the team is due, captain and crew write here."),
};

export class CircleTalk extends Talk {
  /** @param {Pick<ConstructorParameters<typeof Talk>[0], "send"|"inSight">} ways */
  constructor(ways) {
    super({ ...ways, unread: () => undefined });
    /** @type {Room} */
    this.room = "everybody";
    this.news = { everybody: 0, crew: 0 };
    this.drafts = { everybody: "", crew: "" };
    /** @type {View|null} */
    this.view = null;
    this.panel = byId("panel-talk");
    this.panel.hidden = false;
    for (const room of ROOMS) {
      const tab = byId(TAB[room]);
      tab.addEventListener("click", () => this.choose(room));
      tab.addEventListener("keydown", (event) => {
        const other = room === "crew" ? "everybody" : "crew";
        if (!["ArrowLeft", "ArrowRight"].includes(event.key) || byId(TAB[other]).hidden) return;
        event.preventDefault();
        this.choose(other);
        byId(TAB[other]).focus();
      });
    }
  }

  /** @param {{text: string}|{phrase: string}} words */
  speak(words) {
    const crew = this.room === "crew" ? { game: this.view?.game } : {};
    const addressed = { ...words, to: this.room, ...crew };
    super.speak(addressed);
  }

  /** @param {View} view */
  follow(view) {
    const before = this.view;
    const left = before !== null && (before.game !== view.game || (before.seat === "team" && view.seat !== "team"));
    this.view = view;
    if (left) this.leaveCrew();
    this.showTabs();
    this.allow();
  }

  /** The crew is no longer the reader's, or that of another game: what was meant for it is thrown away. */
  leaveCrew() {
    if (this.room === "crew") this.choose("everybody");
    this.drafts.crew = "";
    for (const { id, to } of this.pending.values()) if (to === "crew") this.pending.delete(id);
  }

  /** @param {Room} room */
  choose(room) {
    if (room !== this.room) {
      this.drafts[this.room] = this.field.value;
      this.field.value = this.drafts[room];
      write(this.note, "");
    }
    this.room = room;
    this.panel.dataset.room = room;
    this.panel.setAttribute("aria-labelledby", TAB[room]);
    for (const each of ROOMS) {
      const tab = byId(TAB[each]);
      tab.setAttribute("aria-selected", String(each === room));
      tab.tabIndex = each === room ? 0 : -1;
    }
    this.sort();
    this.allow();
    this.seen();
  }

  /** Members of the team have the crew's tab, and those who have messages in it. */
  showTabs() {
    const { view } = this;
    const member = view?.seat === "team" && view.terms.consulting !== "never";
    const some = [...this.messages.values()].some(({ audience }) => audience === "crew");
    byId(TAB.crew).hidden = !member && !some;
  }

  /** Show the lines of the chosen tab. */
  sort() {
    let shown = 0;
    for (const line of /** @type {Iterable<HTMLElement>} */ (/** @type {unknown} */ (this.list.children))) {
      line.hidden = line.dataset.room !== this.room;
      if (!line.hidden) shown += 1;
    }
    byId("talk-empty").hidden = shown > 0;
  }

  draw() {
    super.draw();
    this.showTabs();
    this.sort();
    this.toBottom();
  }

  /** @param {Message & {id: string}} message */
  said(message) {
    super.said(message);
    this.showTabs();
    this.sort();
  }

  /** Its draft is that of the room it went to. @param {import("../table/talk.js").Sent} sent */
  arrived(sent) {
    const room = sent.to === "crew" ? "crew" : "everybody";
    if (room === this.room) super.arrived(sent);
    else if (this.drafts[room].trim() === sent.text) this.drafts[room] = "";
  }

  /** @param {Message} message @returns {HTMLElement} */
  line(message) {
    const line = super.line(message);
    line.dataset.room = message.audience;
    return line;
  }

  beside() {
    return "";
  }

  /** @param {Message} message @returns {string} */
  inWords(message) {
    if (message.audience !== "crew") return super.inWords(message);
    return say("{name} to the crew: {text}", { name: message.author.name, text: wordsOf(message) });
  }

  /** @param {Message[]} messages */
  count(messages) {
    const others = messages.filter(({ author }) => author.id !== this.person);
    if (!others.length) return;
    for (const { audience } of others) {
      const room = audience === "crew" ? "crew" : "everybody";
      if (room !== this.room || !this.ways.inSight()) this.news[room] += 1;
    }
    this.showNews();
    this.readLater(others);
  }

  seen() {
    this.news[this.room] = 0;
    this.showNews();
    this.toBottom();
  }

  showNews() {
    for (const room of ROOMS) {
      const count = this.news[room];
      const tab = byId(TAB[room]);
      write(byId(UNREAD[room]), count ? String(count) : "");
      const name = room === "crew" ? say("Crew") : say("Table");
      tab.setAttribute("aria-label", count ? sayCount("{tab}, {count} new message", "{tab}, {count} new messages", { tab: name, count }) : name);
    }
    button("panel").toggleAttribute("data-unread", this.news.everybody + this.news.crew > 0);
  }

  allow() {
    super.allow();
    const { view } = this;
    if (!view) return;
    const crew = this.room === "crew";
    const may = crew ? Boolean(view.actions.confer) : isSeated(view);
    if (!may) for (const name of ["talk-form", "talk-phrases"]) byId(name).hidden = true;
    this.field.placeholder = crew ? say("To the captain and the crew alone") : say("To everybody at this table");
    write(byId("talk-audience"), this.person === null ? "" : crew ? say("The box does not read this.") : say("Everybody reads this."));
    write(byId("talk-why"), may || this.person === null ? "" : crew ? CREW_WRITES[advisersOf(view)] : word("unsaid", "not_seated"));
  }
}
