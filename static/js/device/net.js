// @ts-check
/** The net for devices: the same inputs, layers and answers as backgammon/evaluation/nets, from the same files. */

import { arraysOf } from "./archive.js";
import { BAR, CHECKERS, isRace, pipsOf } from "./lanes.js";

/** @typedef {import("./lanes.js").Lanes} Lanes */
/** @typedef {import("./archive.js").NumberArray} NumberArray */

/** `VERSION` of backgammon/evaluation/nets/inputs.py; another one would be misread. */
const VERSION = 1;
const A_POINT = 8;
const TRAYS_AT = 24 * A_POINT;
const BLOCKS_AT = TRAYS_AT + 8;
const RACE_AT = BLOCKS_AT + 8;
const INPUTS = RACE_AT + 3;
const OUTPUTS = 5;
const WINDOWS = 19;
const TOLERANCE = 2e-3;

const inputs = new Float32Array(INPUTS);

/** Fill `inputs` for a board in the view of who has just moved. @param {Lanes} lanes */
function see(lanes) {
  inputs.fill(0);
  for (let point = 1; point <= 24; point += 1) {
    const at = (point - 1) * A_POINT;
    see4(at, lanes[point] & 15);
    see4(at + 4, lanes[point] >> 4);
  }
  [lanes[0], lanes[BAR]].forEach((byte, tray) => {
    [byte & 15, byte >> 4].forEach((count, side) => {
      const at = TRAYS_AT + 4 * tray + 2 * side;
      inputs[at] = count / CHECKERS;
      inputs[at + 1] = Number(count > 0);
    });
  });
  seeBlocks(BLOCKS_AT, (step) => lanes[step + 1] & 15, (step) => lanes[step + 1] >> 4, lanes[BAR] >> 4);
  seeBlocks(BLOCKS_AT + 4, (step) => lanes[24 - step] >> 4, (step) => lanes[24 - step] & 15, lanes[BAR] & 15);
  const [mine, theirs] = pipsOf(lanes);
  inputs[RACE_AT] = (theirs - mine) / 60;
  inputs[RACE_AT + 1] = mine / 200;
  inputs[RACE_AT + 2] = theirs / 200;
}

/** The checkers of one side on a point. @param {number} at @param {number} count */
function see4(at, count) {
  inputs[at] = Number(count === 1);
  inputs[at + 1] = Number(count >= 2);
  inputs[at + 2] = Number(count >= 3);
  inputs[at + 3] = Math.max(0, count - 3) / 2;
}

/**
 * How far one side stands in the other's way, over windows of six points of that way with a checker at or before the first.
 * @param {number} at @param {(step: number) => number} blockers @param {(step: number) => number} blocked @param {number} waiting
 */
function seeBlocks(at, blockers, blocked, waiting) {
  let behind = waiting;
  for (let first = 0; first < WINDOWS; first += 1) {
    behind += blocked(first);
    if (!behind) continue;
    let held = 0;
    for (let step = first; step < first + 6; step += 1) held += Number(blockers(step) >= 2);
    inputs[at] = Math.max(inputs[at], held / 6);
    if (held >= 5) {
      inputs[at + 1] += 1 / 3;
      inputs[at + 3] = Math.max(inputs[at + 3], behind / CHECKERS);
    }
    if (held === 6) inputs[at + 2] += 1 / 3;
  }
}

const squashed = (/** @type {number} */ sum) => 1 / (1 + Math.exp(-sum));

/** One of the two parts. */
class Part {
  /** @param {Map<string, NumberArray>} arrays */
  constructor(arrays) {
    const array = (/** @type {string} */ name) => {
      const found = arrays.get(name);
      if (!found) throw new Error(`${name} is missing`);
      return found;
    };
    this.first = array("array0").values;
    this.firstOffset = array("array1").values;
    this.second = array("array2").values;
    this.secondOffset = array("array3").values;
    this.hidden = new Float64Array(this.firstOffset.length);
    if (array("version").values[0] !== VERSION || array("array0").shape[0] !== INPUTS || array("array2").shape[1] !== OUTPUTS) throw new Error("a net of another version");
    this.check(Uint8Array.from(array("boards").values), array("answers").values);
  }

  /** The boards in the file must get the answers in the file. @param {Uint8Array} boards @param {ArrayLike<number>} answers */
  check(boards, answers) {
    const lanes = boards.length / (answers.length / OUTPUTS);
    for (let at = 0; at * OUTPUTS < answers.length; at += 1) {
      const found = this.outputs(boards.subarray(at * lanes, (at + 1) * lanes));
      if (found.some((chance, i) => Math.abs(chance - answers[at * OUTPUTS + i]) > TOLERANCE)) throw new Error("the net does not answer as it did when it was trained");
    }
  }

  /** @param {Lanes} lanes @returns {number[]} */
  outputs(lanes) {
    see(lanes);
    const { hidden, first, second } = this;
    const size = hidden.length;
    hidden.set(this.firstOffset);
    for (let input = 0; input < INPUTS; input += 1) {
      const value = inputs[input];
      if (!value) continue;
      const row = input * size;
      for (let unit = 0; unit < size; unit += 1) hidden[unit] += value * first[row + unit];
    }
    const sums = Array.from(this.secondOffset);
    for (let unit = 0; unit < size; unit += 1) {
      const value = squashed(hidden[unit]);
      for (let output = 0; output < OUTPUTS; output += 1) sums[output] += value * second[unit * OUTPUTS + output];
    }
    return sums.map(squashed);
  }
}

export class DeviceNet {
  /** @param {ArrayBuffer} contact @param {ArrayBuffer} race @returns {Promise<DeviceNet>} */
  static async read(contact, race) {
    return new DeviceNet(new Part(await arraysOf(contact)), new Part(await arraysOf(race)));
  }

  /** @param {Part} contact @param {Part} race */
  constructor(contact, race) {
    this.contact = contact;
    this.race = race;
  }

  /**
   * To win, to win a gammon, a backgammon, to lose a gammon, a backgammon, for the player who has just moved.
   * @param {Lanes} lanes @returns {number[]}
   */
  chances(lanes) {
    if ((lanes[0] & 15) === CHECKERS) return won(lanes);
    const found = (isRace(lanes) ? this.race : this.contact).outputs(lanes);
    if (lanes[0] >> 4) found[1] = found[2] = 0;
    if (lanes[0] & 15) found[3] = found[4] = 0;
    found[1] = Math.min(found[1], found[0]);
    found[2] = Math.min(found[2], found[1]);
    found[3] = Math.min(found[3], 1 - found[0]);
    found[4] = Math.min(found[4], found[3]);
    return found;
  }
}

/** What is true of a game that the player who has just moved has won. @param {Lanes} lanes @returns {number[]} */
function won(lanes) {
  const noneOff = lanes[0] >> 4 === 0;
  const behind = lanes[BAR] >> 4 > 0 || lanes.slice(1, 7).some((byte) => byte >> 4 > 0);
  return [1, Number(noneOff), Number(noneOff && behind), 0, 0];
}
