// @ts-check
/** The members' cubes: one row each, with where the cube lies, how it stands, and what the box may choose for it. */

import { byId, make, write } from "../table/dom.js";
import { showStrength } from "../table/players.js";
import { say, sayCount } from "../say.js";
import { cubeOfTeam, hasOneCube } from "./onecube.js";
import { atStake } from "./picks.js";
import { called, isRunning, mineToDecide, moverOf, personOf, plus, shownValue } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").MemberCube} MemberCube */
/** @typedef {import("./picks.js").Pick} Pick */
/** @typedef {import("./picks.js").Chosen} Chosen */

const SLOTS = /** @type {const} */ (["box", null, "team"]);
/** The same screens as in chouette.css: there the cubes lie beside the board. */
const WIDE = "(min-width: 1081px) and (min-height: 541px)";

export class Cubes {
  /** @param {{chosen: Chosen, onChoice: () => void}} world */
  constructor({ chosen, onChoice }) {
    this.chosen = chosen;
    this.onChoice = onChoice;
    this.root = byId("cubes");
    this.list = byId("cube-rows");
    /** @type {Map<number, HTMLElement>} */
    this.rows = new Map();
    this.ofTeam = emptyRow();
    this.ofTeam.classList.add("cube-team");
    this.list.addEventListener("change", ({ target }) => this.changed(/** @type {HTMLInputElement} */ (target)));
    const wide = matchMedia(WIDE);
    wide.addEventListener("change", () => this.place(wide.matches));
    this.place(wide.matches);
  }

  /** In the side, or below the board. @param {boolean} wide */
  place(wide) {
    if (wide) byId("side").prepend(this.root);
    else byId("board").after(this.root);
  }

  /** @param {HTMLInputElement} input */
  changed(input) {
    this.chosen.set(Number(input.dataset.player), input.checked ? input.value : "");
    this.onChoice();
  }

  /** @param {View} view @param {Pick|null} pick @param {boolean} free */
  show(view, pick, free) {
    this.root.hidden = !view.cubes.length;
    this.root.classList.toggle("picks", pick !== null);
    write(byId("cubes-note"), noteFor(view));
    const ids = view.cubes.map(({ player }) => player);
    if (ids.join() !== [...this.rows.keys()].join()) this.build(ids, hasOneCube(view));
    if (hasOneCube(view) && ids.length) this.showTeamRow(view);
    const mine = mineToDecide(view);
    for (const cube of view.cubes) this.showRow(view, cube, mine, pick, free);
    this.showSum(view, pick);
  }

  /** One cube has a row of its own before those of the members. @param {number[]} ids @param {boolean} one */
  build(ids, one) {
    this.rows = new Map(ids.map((id) => [id, emptyRow()]));
    this.root.classList.toggle("one", one);
    this.list.replaceChildren(this.list.children[0], ...(one ? [this.ofTeam] : []), ...this.rows.values());
  }

  /** @param {View} view */
  showTeamRow(view) {
    const cube = cubeOfTeam(view);
    const name = say("Cube of the team");
    const part = (/** @type {string} */ each) => /** @type {HTMLElement} */ (this.ofTeam.querySelector(`.${each}`));
    write(part("cube-name"), say("Team"));
    this.ofTeam.classList.toggle("out", cube === null);
    const mine = mineToDecide(view);
    drawSlots(part("cube-slots"), name, cube ?? view.cubes[0], cube !== null && view.cubes.some(({ player }) => mine.has(player)));
    const state = cube ? teamStateText(view, cube) : { text: "", look: "" };
    write(part("cube-state"), state.text);
    part("cube-state").dataset.look = state.look;
  }

  /** @param {View} view @param {MemberCube} cube @param {Set<number>} mine @param {Pick|null} pick @param {boolean} free */
  showRow(view, cube, mine, pick, free) {
    const row = /** @type {HTMLElement} */ (this.rows.get(cube.player));
    const person = personOf(view, cube.player);
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (row.querySelector(`.${name}`));
    row.classList.toggle("mine", cube.player === view.me);
    row.classList.toggle("out", cube.settled);
    write(part("cube-name"), called(view, cube.player));
    write(part("cube-role"), person && moverOf(view, "team")?.id === person.id ? (person.role === "captain" ? say("Captain") : say("acts as captain")) : "");
    showStrength(part("strength-slot"), person?.strength ?? 0);
    if (!hasOneCube(view)) drawSlots(part("cube-slots"), called(view, cube.player), cube, mine.has(cube.player));
    const state = hasOneCube(view) ? memberStateText(view, cube) : stateText(view, cube);
    write(part("cube-state"), state.text);
    part("cube-state").dataset.look = state.look;
    const options = pick?.rows.find(({ player }) => player === cube.player)?.options ?? [];
    this.showOptions(part("cube-options"), cube.player, options, pick, free);
    part("cube-state").hidden = options.length > 0;
  }

  /** @param {HTMLElement} place @param {number} player @param {import("./picks.js").Option[]} options @param {Pick|null} pick @param {boolean} free */
  showOptions(place, player, options, pick, free) {
    const key = options.length && pick ? `${pick.key}/${options.map(({ value }) => value)}` : "";
    if (place.dataset.key !== key) {
      place.dataset.key = key;
      const name = this.rows.get(player)?.querySelector(".cube-name")?.textContent ?? "";
      place.setAttribute("role", pick?.kind === "doubles" ? "group" : "radiogroup");
      place.setAttribute("aria-label", say("Answer for the cube of {name}", { name }));
      place.replaceChildren(...options.map((option) => optionOf(option, player, pick?.kind === "doubles")));
    }
    for (const input of place.querySelectorAll("input")) {
      input.checked = this.chosen.by.get(player) === input.value;
      input.disabled = !free;
    }
  }

  /** What the box plays for after its answers. @param {View} view @param {Pick|null} pick */
  showSum(view, pick) {
    const values = pick && pick.kind !== "doubles" ? atStake(view, this.chosen) : [];
    const total = values.reduce((sum, value) => sum + value, 0);
    const sum = values.length > 1 ? `${values.join(" + ")} = ${total}` : String(total);
    const chosen = pick && this.chosen.complete(pick);
    const text = chosen ? say("At stake with these answers: {sum}", { sum }) : say("At stake if you take: {sum}", { sum });
    write(byId("cubes-sum"), values.length ? text : "");
  }
}

/** @returns {HTMLElement} */
function emptyRow() {
  const name = make("span", "cube-who", make("span", "strength-slot"), make("span", "", make("b", "cube-name"), make("small", "cube-role")));
  const slots = make("span", "cube-slots", ...SLOTS.map(() => make("i")));
  slots.setAttribute("role", "img");
  return make("li", "cube-row", name, slots, make("span", "cube-state"), make("span", "cube-options"));
}

/** @param {import("./picks.js").Option} option @param {number} player @param {boolean} several @returns {HTMLElement} */
function optionOf({ value, label, under }, player, several) {
  const input = document.createElement("input");
  Object.assign(input, { type: several ? "checkbox" : "radio", name: `cube-${player}`, value });
  input.dataset.player = String(player);
  return make("label", "cube-option", input, make("b", "", label), make("small", "", under));
}

/** @param {HTMLElement} place @param {string} name @param {MemberCube} cube @param {boolean} ready */
function drawSlots(place, name, cube, ready) {
  const value = shownValue(cube);
  const offered = cube.state === "offered" || cube.state === "beavered";
  SLOTS.forEach((owner, i) => {
    const here = owner === cube.owner && !cube.settled;
    const slot = /** @type {HTMLElement} */ (place.children[i]);
    write(slot, here ? String(value) : "");
    slot.className = here ? ["small-cube", (ready || offered) && "ready", owner === "box" && "theirs"].filter(Boolean).join(" ") : "";
  });
  place.setAttribute("aria-label", placeText(name, value, cube));
}

/** Where a member's cube lies. @param {string} name @param {number} value @param {MemberCube} cube @returns {string} */
function placeText(name, value, { settled, owner }) {
  if (settled) return say("{name}: out of this game", { name });
  if (owner === null) return say("{name}: cube {value}, in the middle", { name, value });
  return owner === "box" ? say("{name}: cube {value}, the box has it", { name, value }) : say("{name}: cube {value}, on their own side", { name, value });
}

/** How the one cube stands. @param {View} view @param {MemberCube} cube @returns {{text: string, look: string}} */
function teamStateText(view, cube) {
  if (view.phase === "box_answers" || view.phase === "team_answers") return { text: say("double to {value}", { value: 2 * cube.value }), look: "hot" };
  if (cube.owner === "box") return { text: view.seat === "box" ? say("you have it") : say("the box has it"), look: "" };
  return { text: "", look: "" };
}

/** How a member stands to the one cube. @param {View} view @param {MemberCube} cube @returns {{text: string, look: string}} */
function memberStateText(view, cube) {
  if (cube.settled) return stateText(view, cube);
  const thinking = { text: say("thinking"), look: cube.player === view.me ? "hot" : "" };
  if (view.phase === "team_decides") return cube.state === "thinking" ? thinking : { text: "", look: "" };
  if (view.phase !== "team_answers") return { text: "", look: "" };
  if (cube.state !== "offered") return { text: say("takes"), look: "done" };
  return view.waits_for.includes(cube.player) ? thinking : { text: "", look: "" };
}

const OUT = { dropped: say("dropped"), board: say("settled"), left: say("left") };

/** The word for how a member left the game: who loses has dropped. @param {MemberCube} cube @returns {string} */
function howOut({ how, box_points }) {
  return how === "dropped" && box_points !== null && box_points < 0 ? say("box dropped") : OUT[how ?? "left"];
}

/** How a member's cube stands, in a word or two. @param {View} view @param {MemberCube} cube @returns {{text: string, look: string}} */
function stateText(view, cube) {
  const points = cube.box_points === null ? "" : plus(-cube.box_points);
  if (cube.settled || cube.state === "out") return { text: [howOut(cube), points].filter(Boolean).join(" "), look: "out" };
  if (cube.player === view.me && view.actions.decide) return { text: say("your choice"), look: "hot" };
  if (cube.my_choice !== null) return { text: cube.my_choice ? say("you double") : say("no double"), look: "done" };
  if (cube.state === "thinking") return { text: say("thinking"), look: "" };
  if (cube.state === "decided") return { text: say("decided"), look: "done" };
  if (cube.state === "offered") return { text: say("double to {value}", { value: shownValue(cube) }), look: "hot" };
  if (cube.state === "beavered") return { text: say("beaver to {value}", { value: shownValue(cube) }), look: "hot" };
  if (cube.owner === "box") return { text: view.seat === "box" ? say("you have it") : say("the box has it"), look: "" };
  return { text: "", look: "" };
}

/** What the cubes wait for. @param {View} view @returns {string} */
function noteFor(view) {
  if (!isRunning(view)) return "";
  if (view.phase === "team_decides") {
    if (hasOneCube(view)) return say("the captain decides");
    const asked = view.cubes.filter(({ state }) => state === "thinking" || state === "decided");
    return say("{done} of {count} decided", { done: asked.filter(({ state }) => state === "decided").length, count: asked.length });
  }
  const open = view.cubes.filter(({ state }) => state === "offered" || state === "beavered").length;
  if (!open) return "";
  return hasOneCube(view) ? say("the cube waits for an answer") : sayCount("{count} cube waits for an answer", "{count} cubes wait for an answer", { count: open });
}
