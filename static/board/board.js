// @ts-check
/**
 * BgBoard: a backgammon board without any rules.
 *
 * State goes in by `set`, events come out by `on`. Legal plays come as a graph (see draft.js); the board
 * lets the player walk it, back and forth, and reports the finished walk. Places are in the numbering of
 * the viewer: 1–24, 25 the bar, 0 off.
 */

import { drawArrows } from "./arrows.js";
import { Draft } from "./draft.js";
import { Dice, drawCube, drawTrays } from "./furniture.js";
import { barBox, layoutFor, pointBox } from "./geometry.js";
import { focusPlace, listen, placeName } from "./input.js";
import { drawMarks } from "./marks.js";
import { Pieces } from "./pieces.js";
import { moved } from "./position.js";
import { scenery } from "./scenery.js";
import { element } from "./svg.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./geometry.js").Side} Side */
/** @typedef {import("./geometry.js").Spot} Spot */
/** @typedef {import("./position.js").Position} Position */
/** @typedef {import("./draft.js").Edge} Edge */
/** @typedef {typeof import("./labels.js").OWN} Labels */

/**
 * @typedef {object} BoardState
 * @property {Position} position
 * @property {import("./position.js").Way} way
 * @property {boolean} pins  whether a single checker is pinned instead of hit
 * @property {import("./furniture.js").Roll|null} dice  the roll being played
 * @property {{values: number[], side: Side}|null} faintDice  the roll before
 * @property {import("./furniture.js").Cube|null} cube
 * @property {Edge[][]|null} graph  when it is mine to play
 * @property {string} turn  names the decision; a draft is kept as long as it stays the same
 * @property {{side: Side, from: number[], to: number[]}|null} last
 * @property {boolean} tapRolls  a tap on the right half rolls
 * @property {boolean} locked  no input: something has been sent, or the connection is gone
 */

/**
 * @typedef {object} Preferences
 * @property {1|-1} direction  1: bear off at the right
 * @property {boolean} selectFirst  the first tap selects, the second names the target
 * @property {number} animation_ms  of one checker; 0: none
 */

/** @type {Preferences} */
const DEFAULTS = { direction: 1, selectFirst: false, animation_ms: 240 };

export class BgBoard {
  /** @param {HTMLElement} host  fills its box @param {{labels: Labels|null, preferences?: Partial<Preferences>}} options  without labels, nothing is read out */
  constructor(host, { labels, preferences = {} }) {
    this.host = host;
    this.labels = labels;
    /** @type {Preferences} */
    this.preferences = { ...DEFAULTS, ...preferences };
    /** @type {BoardState|null} */
    this.state = null;
    /** @type {Draft|null} */
    this.draft = null;
    /** @type {number|null} */
    this.selected = null;
    /** @type {import("./pieces.js").Piece|null} */
    this.carried = null;
    /** @type {import("./arrows.js").Arrow[]} */
    this.arrows = [];
    /** @type {Map<string, ((detail: any) => void)[]>} */
    this.listeners = new Map();
    this.svg = element("svg", { class: "bg", role: "group", "aria-label": labels?.board() ?? "" });
    this.layers = {
      scenery: element("g"), slabs: element("g"), cube: element("g"), pieces: element("g", { "aria-hidden": "true" }),
      marks: element("g", { class: "bg-marks", "aria-hidden": "true" }), hits: element("g"),
      dice: element("g", { class: "bg-dice", "aria-hidden": "true" }),
      arrows: element("g", { class: "bg-arrows", "aria-hidden": "true" }),
    };
    this.svg.append(...Object.values(this.layers));
    this.pieces = new Pieces(this.layers.pieces);
    this.dice = new Dice(this.layers.dice);
    this.L = layoutFor(1, 1, 1);
    /** The host's size and the direction for which the board is laid out; nothing is drawn before. @type {string} */
    this.laidOut = "";
    this.observed = false;
    listen(this.svg, {
      layout: () => this.L,
      tap: (place, wish) => this.tap(place, wish),
      unfinished: () => this.draft !== null && !this.draft.complete,
      canLift: (place) => this.canAct() && (this.draft?.sources().has(place) ?? false),
      lift: (place, spot) => this.lift(place, spot),
      carry: (spot) => this.carried && this.pieces.carry(this.carried, spot),
      drop: (place) => this.drop(place),
    });
    this.layers.dice.addEventListener("click", () => this.tapDice());
    // The observer speaks when the page has been laid out, so measuring the host costs nothing; and not before a host
    // whose content-visibility is auto comes near the screen.
    new ResizeObserver(() => {
      this.observed = true;
      this.fit();
    }).observe(host);
  }

  /**
   * @param {"draft"|"play"|"roll"|"refused"|"layout"|"place"} event
   *   place: a place was tapped, whatever comes of it (place, other: with the other button); draft: the unfinished play changed (detail: Draft or null); play: it is to be sent (moves);
   *   roll: the half was tapped; refused: no move from or to this place; layout: the board was laid out anew (before it is drawn; box: where it will lie in the window)
   * @param {(detail: any) => void} listener
   */
  on(event, listener) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
  }

  /** @param {string} event @param {any} [detail] */
  emit(event, detail) {
    for (const listener of this.listeners.get(event) ?? []) listener(detail);
  }

  /** Show a state; what differs from the one before moves there. @param {BoardState} state @param {{animate?: boolean}} [how] */
  set(state, { animate = true } = {}) {
    const sameTurn = this.state?.turn === state.turn && this.draft !== null;
    this.state = state;
    if (!state.graph) this.draft = null;
    else if (!sameTurn) this.draft = new Draft(state.graph, state.dice?.values ?? []);
    if (!sameTurn) this.selected = null;
    this.draw(animate ? this.duration : 0);
    this.emit("draft", this.draft);
  }

  /** Show arrows (arrows.js) until others or none are shown; they belong to the position before a draft. @param {import("./arrows.js").Arrow[]} arrows */
  showArrows(arrows) {
    this.arrows = arrows;
    this.drawArrows();
  }

  drawArrows() {
    const shown = this.draft?.steps.length ? [] : this.arrows;
    if (this.state && this.laidOut) drawArrows(this.layers.arrows, this.L, this.state.position, shown);
  }

  /** Take back one move of the draft. */
  undo() {
    if (this.canAct() && this.draft?.undo()) this.changed();
  }

  /** Take back the whole draft. */
  reset() {
    if (this.draft?.steps.length) {
      this.draft.reset();
      this.changed();
    }
  }

  /** Report the draft if it is complete. */
  confirm() {
    if (this.canAct() && this.draft?.complete) this.emit("play", this.draft.moves);
  }

  swap() {
    if (!this.canAct() || !this.draft) return;
    this.draft.swap();
    this.drawDice(0);
  }

  /** The position in words. @returns {string} */
  describe() {
    return (this.state && this.labels?.describe(this.position())) || "";
  }

  /** The position as it is drawn: the state's, and the draft's moves on it. @returns {Position} */
  position() {
    const state = /** @type {BoardState} */ (this.state);
    return (this.draft?.steps ?? []).reduce((at, [from, to]) => moved(at, from, to, state.pins), state.position);
  }

  /** @returns {number} */
  get duration() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : this.preferences.animation_ms;
  }

  /** @returns {boolean} */
  canAct() {
    return this.state !== null && !this.state.locked;
  }

  /** @param {number} place @param {{other?: boolean, die?: number}} wish */
  tap(place, wish) {
    this.emit("place", { place, ...wish });
    if (!this.state || !this.canAct()) return;
    if (!this.draft) {
      if (this.state.tapRolls && this.inRightHalf(place)) this.emit("roll");
      return;
    }
    if (this.draft.complete) return;
    const walk = this.walkFor(place, wish);
    if (walk) this.play(walk);
    else if (this.selected === null) this.refuse(place);
  }

  /** What a tap means: a walk to play, or nothing (then it may have selected). @param {number} place @param {{other?: boolean, die?: number}} wish @returns {Edge[]|null} */
  walkFor(place, wish) {
    const draft = /** @type {Draft} */ (this.draft);
    if (this.selected !== null) {
      const walk = draft.targets(this.selected).get(place);
      if (walk) return walk;
    }
    if (draft.sources().has(place)) {
      if (this.preferences.selectFirst && !wish.die && !wish.other) {
        this.select(this.selected === place ? null : place);
        return null;
      }
      const edge = draft.edgeFrom(place, wish);
      return edge ? [edge] : null;
    }
    this.select(null);
    return draft.wayTo(place);
  }

  /** A checker that cannot move there, or not at all, shakes. @param {number} place */
  refuse(place) {
    const shaken = this.pieces.top("me", place)?.drawn;
    const shake = [0, -7, 7, -4, 4, 0].map((x) => ({ translate: `${x}px` }));
    if (shaken && this.duration) shaken.animate(shake, { duration: 260 });
    this.emit("refused", place);
  }

  /** @param {number} place @returns {boolean} */
  inRightHalf(place) {
    return place > 0 && place < 25 && pointBox(this.L, place).x > this.L.xBar;
  }

  /** @param {number|null} place */
  select(place) {
    this.selected = place;
    this.drawMarksAndLabels();
  }

  /** @param {Edge[]} walk */
  play(walk) {
    this.draft?.play(walk);
    this.selected = null;
    this.changed();
  }

  changed() {
    this.draw(this.duration);
    this.emit("draft", this.draft);
  }

  tapDice() {
    if (this.draft?.complete) this.confirm();
    else this.swap();
  }

  /** @param {number} place @param {Spot} spot */
  lift(place, spot) {
    const fromBar = place === 25 && this.position().me[25] === 0;
    this.carried = this.pieces.top("me", fromBar ? 26 : place) ?? null;
    this.carried?.drawn.classList.remove("bg-away");
    this.select(place);
    if (this.carried) this.pieces.carry(this.carried, spot);
    this.svg.classList.add("bg-dragging");
  }

  /** @param {number|null} place */
  drop(place) {
    const from = this.selected;
    const walk = from !== null && place !== null ? this.draft?.targets(from).get(place) : undefined;
    this.carried = null;
    this.svg.classList.remove("bg-dragging");
    if (walk) {
      this.play(walk);
    } else {
      this.selected = null;
      this.draw(this.duration);
      if (from !== null && place !== null && place !== from) this.refuse(from);
    }
  }

  /** Lay the board out for its host and draw everything without motion, unless nothing has changed. */
  fit() {
    if (!this.observed) return;
    const { left, top, width, height } = this.host.getBoundingClientRect();
    const wanted = [width, height, this.preferences.direction].join(" ");
    if (width < 1 || height < 1 || wanted === this.laidOut) return;
    this.laidOut = wanted;
    const L = layoutFor(width, height, this.preferences.direction);
    this.L = L;
    const scale = Math.min(width / L.W, height / L.H);
    const w = Math.floor(L.W * scale);
    const h = Math.floor(L.H * scale);
    // Before anything is changed: a listener that measures would otherwise lay out the page again. The host centres the board.
    this.emit("layout", { layout: L, scale, box: { x: left + (width - w) / 2, y: top + (height - h) / 2, w, h } });
    this.svg.setAttribute("viewBox", `0 0 ${L.W} ${L.H}`);
    this.svg.setAttribute("width", String(w));
    this.svg.setAttribute("height", String(h));
    this.svg.style.borderRadius = `${L.round * scale}px`; // the shadow's corners are the board's
    this.svg.setAttribute("data-layout", L.portrait ? "portrait" : "wide");
    if (!this.svg.isConnected) this.host.append(this.svg); // not before it has its size: nothing shifts
    this.layers.scenery.replaceChildren(scenery(L));
    this.buildHits();
    this.draw(0);
  }

  /** The invisible buttons over points, bar and tray. */
  buildHits() {
    const L = this.L;
    const hit = (/** @type {number} */ place, /** @type {import("./geometry.js").Box} */ box) =>
      element(
        "g",
        {
          class: "bg-hit", role: "button", "data-point": placeName(place), tabindex: place === 24 ? 0 : -1,
          "aria-label": this.labels?.name(place) ?? "",
        },
        element("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 8 }),
      );
    const points = Array.from({ length: 24 }, (_, i) => 24 - i);
    const focused = document.activeElement?.getAttribute("data-point");
    this.layers.hits.replaceChildren(
      ...points.map((point) => hit(point, pointBox(L, point))), hit(25, barBox(L)), hit(0, L.off.me),
    );
    if (focused) focusPlace(this.svg, focused === "bar" ? 25 : focused === "off" ? 0 : Number(focused));
  }

  /** @param {number} duration_ms */
  draw(duration_ms) {
    const state = this.state;
    if (!state || !this.laidOut) return;
    const position = this.position();
    this.pieces.show(this.L, position, state.way, duration_ms);
    drawTrays(this.layers.slabs, this.L, position);
    drawCube(this.layers.cube, this.L, state.cube, duration_ms);
    this.drawDice(duration_ms);
    this.drawMarksAndLabels();
    this.drawArrows();
    if (duration_ms) this.layers.marks.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 120, delay: duration_ms, fill: "backwards" });
  }

  /** @param {number} duration_ms */
  drawDice(duration_ms) {
    const state = /** @type {BoardState} */ (this.state);
    this.dice.draw(this.L, { roll: state.dice, faint: state.faintDice, draft: this.draft }, duration_ms);
  }

  drawMarksAndLabels() {
    const state = this.state;
    if (!state || !this.laidOut) return;
    const position = this.position();
    const draft = state.locked ? null : this.draft;
    const movable = draft?.sources() ?? new Set();
    /** @type {Map<number, boolean>} */
    const targets = new Map();
    if (draft && this.selected !== null) {
      for (const place of draft.targets(this.selected).keys()) targets.set(place, place > 0 && position.op[place] > 0);
    }
    const origins = this.draft?.steps.map((step) => step[0]) ?? [];
    const last = origins.length ? null : state.last;
    drawMarks(this.layers.marks, this.L, position, { movable, selected: this.selected, targets, last, origins });
    this.drawLabels(position, movable, draft);
    for (const number of this.layers.scenery.querySelectorAll("[data-number]")) {
      const place = Number(number.getAttribute("data-number"));
      number.classList.toggle("bg-hot", targets.has(place) || this.selected === place);
    }
  }

  /** @param {Position} position @param {Set<number>} movable @param {Draft|null} draft */
  drawLabels(position, movable, draft) {
    const state = /** @type {BoardState} */ (this.state);
    const reachable = new Set(draft?.edges.map((edge) => edge[1]) ?? []);
    for (const node of this.layers.hits.children) {
      const name = node.getAttribute("data-point");
      const place = name === "bar" ? 25 : name === "off" ? 0 : Number(name);
      const marks = {
        movable: movable.has(place), target: reachable.has(place),
        hits: place > 0 && position.op[place] > 0, selected: this.selected === place,
      };
      node.classList.toggle("bg-can", marks.movable || marks.target || (state.tapRolls && !state.locked && this.inRightHalf(place)));
      node.classList.toggle("bg-liftable", marks.movable);
      node.setAttribute("aria-label", this.labels?.place(position, place, marks) ?? "");
    }
  }
}
