// @ts-check
/** The members' cubes on the board, or their one, each at the side of who holds it. Where the board stands upright there is no room for them. */

import { cube, element } from "../../board/svg.js";
import { cubeOfTeam, hasOneCube } from "./onecube.js";
import { called, mineToDecide, nearParty, shownValue } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").MemberCube} MemberCube */
/** @typedef {import("../../board/board.js").BgBoard} BgBoard */

const SIZE = 78;
const STEP = 122;
/** From the edge of the field to the middle of the first cube. */
const EDGE = 64;
const NAME_BELOW = 68;
const NAME_LENGTH = 9;

export class Tray {
  /** @param {BgBoard} board */
  constructor(board) {
    this.board = board;
    this.layer = element("g", { "aria-hidden": "true" });
    board.layers.cube.after(this.layer);
    /** @type {View|null} */
    this.view = null;
    board.on("layout", () => this.draw());
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    this.draw();
  }

  draw() {
    const { view } = this;
    const L = this.board.L;
    if (!view || L.portrait) {
      this.layer.replaceChildren();
      return;
    }
    const near = nearParty(view);
    const one = hasOneCube(view) && cubeOfTeam(view);
    const cubes = one ? [one] : view.cubes.filter(({ settled }) => !settled);
    const held = (/** @type {string|null} */ owner) => cubes.filter((each) => each.owner === owner);
    const middle = held(null);
    const top = L.yMid - ((middle.length - 1) * STEP) / 2;
    const far = near === "box" ? "team" : "box";
    this.layer.replaceChildren(
      ...held(far).map((each, i) => this.drawn(view, each, L.yTop + EDGE + i * STEP)),
      ...middle.map((each, i) => this.drawn(view, each, top + i * STEP - 10)),
      ...held(near).reverse().map((each, i) => this.drawn(view, each, L.yBottom - EDGE - 24 - i * STEP)),
    );
  }

  /** @param {View} view @param {MemberCube} each @param {number} y  @returns {SVGElement} */
  drawn(view, each, y) {
    const tray = this.board.L.cubeTrays[0];
    const drawn = cube(SIZE);
    const ready = mineToDecide(view).has(each.player) || each.state === "offered" || each.state === "beavered";
    drawn.classList.toggle("bg-ready", ready);
    drawn.setAttribute("transform", `translate(${tray.x + tray.w / 2} ${y})`);
    /** @type {SVGElement} */ (drawn.lastElementChild).textContent = String(shownValue(each));
    const name = hasOneCube(view) ? "" : shortened(called(view, each.player));
    drawn.append(element("text", { class: "tray-name", y: NAME_BELOW }, name));
    return drawn;
  }
}

/** @param {string} name @returns {string} */
function shortened(name) {
  const letters = [...name];
  return letters.length > NAME_LENGTH ? `${letters.slice(0, NAME_LENGTH - 1).join("")}…` : name;
}
