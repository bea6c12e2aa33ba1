// @ts-check
/** The strips above and below the board: the box on one side, who moves for the team on the other, and their time. */

import { LOW_MS, drawRing } from "../table/clocks.js";
import { write } from "../table/dom.js";
import { showFace, showStrength, slot, strip } from "../table/players.js";
import { say, sayCount, sayIn } from "../say.js";
import { minutes, rating, signed } from "../table/text.js";
import { called, isRunning, moverOf, partyAt, partyOf } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Person} Person */

const SIDES = /** @type {const} */ (["me", "op"]);

/** @param {View} view @param {{me: number, op: number}|null} draftPips  pips after the moves tried out so far */
export function showPeople(view, draftPips) {
  const shown = draftPips ?? { me: view.pips[0], op: view.pips[1] };
  const running = isRunning(view);
  for (const side of SIDES) {
    const root = strip(side);
    const party = partyAt(view, side);
    const person = moverOf(view, party);
    showPerson(view, root, person);
    write(slot(root, "role"), person ? (party === "box" ? sayIn("chouette", "Box") : roleOf(person)) : "");
    write(slot(root, "with"), person ? company(view, person) : "");
    write(slot(root, "pips"), running ? String(shown[side]) : "–");
    write(slot(root, "lead"), running ? signed(shown[side] - shown[side === "me" ? "op" : "me"]) : "");
    root.classList.toggle("tried", draftPips !== null);
    root.classList.toggle("on", running && view.waits_for.some((id) => partyOf(view, id) === party));
  }
}

/** @param {View} view @param {HTMLElement} root @param {Person|undefined} person */
function showPerson(view, root, person) {
  const mine = person !== undefined && person.id === view.me;
  write(slot(root, "name"), person ? (mine ? say("You · {name}", { name: person.name }) : person.name) : say("Empty seat"));
  write(slot(root, "elo"), person?.elo ? rating(person.elo) : person?.bot ? say("house bot") : "");
  showFace(root, person?.face);
  showStrength(slot(root, "strength"), person?.strength ?? 0);
  const dot = slot(root, "presence");
  dot.hidden = !person || person.bot;
  dot.classList.toggle("off", person?.away ?? false);
  dot.setAttribute("aria-label", person?.away ? say("offline") : say("connected"));
}

/** @param {Person} person @returns {string} */
const roleOf = (person) => (person.role === "captain" ? say("Captain") : say("acts as captain"));

/** Who plays with or against this person. @param {View} view @param {Person} person @returns {string} */
function company(view, person) {
  const others = view.cubes.filter(({ settled, player }) => !settled && player !== person.id);
  if (person.role === "box") return others.length ? sayCount("against one player", "against {count}", { count: others.length }) : "";
  return others.length ? say("with {names}", { names: others.map(({ player }) => called(view, player)).join(", ") }) : "";
}

/** A span of time of which the page knows when it ends: how much of it is left as a share of what was left first. */
export class Span {
  constructor() {
    this.end_ms = 0;
    this.whole_ms = 1;
  }

  /** @param {number} end_ms @param {number} now_ms @returns {{left_ms: number, share: number}} */
  at(end_ms, now_ms) {
    const left_ms = Math.max(0, end_ms - now_ms);
    if (end_ms !== this.end_ms) this.whole_ms = Math.max(1, left_ms);
    this.end_ms = end_ms;
    return { left_ms, share: Math.min(1, left_ms / this.whole_ms) };
  }
}

/** Both banks, and the ring of who is to act. */
export class Clocks {
  /** @param {() => void} onLow  the viewer's own bank has become low */
  constructor(onLow) {
    this.onLow = onLow;
    this.spans = { me: new Span(), op: new Span() };
    this.warned = false;
  }

  /** @param {View} view @param {number} now_ms */
  tick(view, now_ms) {
    for (const side of SIDES) this.drawSide(view, side, now_ms);
  }

  /** @param {View} view @param {"me"|"op"} side @param {number} now_ms */
  drawSide(view, side, now_ms) {
    const root = strip(side);
    const party = partyAt(view, side);
    const { clock } = view;
    const onClock = clock && partyOf(view, clock.player) === party ? clock : null;
    const person = onClock ? view.people.find(({ id }) => id === onClock.player) : moverOf(view, party);
    const bank_ms = onClock ? onClock.bank_ms - Math.max(0, now_ms - onClock.delay_ends_ms) : (person?.bank_ms ?? 0);
    const decides = root.classList.contains("on") && !clock ? view.deadline_ms : null;
    const end_ms = onClock?.delay_ends_ms ?? decides;
    const { left_ms, share } = end_ms === null ? { left_ms: 0, share: 0 } : this.spans[side].at(end_ms, now_ms);
    const ring = /** @type {Element} */ (root.querySelector(".ring"));
    ring.toggleAttribute("data-still", end_ms === null);
    if (end_ms !== null) drawRing(ring, share, String(Math.ceil(left_ms / 1000)));
    write(slot(root, "reserve"), person && !person.bot ? minutes(bank_ms) : "–:––");
    const low = onClock !== null && left_ms === 0 && bank_ms < LOW_MS;
    root.classList.toggle("low", low);
    if (onClock?.player === view.me) this.warn(low);
  }

  /** @param {boolean} low */
  warn(low) {
    if (low && !this.warned) this.onLow();
    this.warned = low;
  }
}
