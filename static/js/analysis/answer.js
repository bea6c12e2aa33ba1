// @ts-check
/** The engine's answer: a list of plays with their arrows, or the three ways of the cube. */

import { arrowsOf } from "../../board/arrows.js";
import { byId, make, write } from "../table/dom.js";
import { filled, say, sayIn } from "../say.js";

/** @typedef {{text: string, moves: [number, number][], equity: number, loss: number, ply: number, chances: number[]|null, band?: number|null, own?: boolean}} Option */
/** How far apart two choices of a rollout are. @typedef {{what: string, better: string, worse?: string, by: number, band: number|null, is_clear: boolean}} Compared */
/**
 * @typedef {object} Answer
 * @property {"play"|"cube"} kind
 * @property {number} ply
 * @property {string} engine  "device" for the net on the reader's device
 * @property {string} version
 * @property {number} seconds
 * @property {number} [choices]
 * @property {Option[]} [options]
 * @property {number} [no_double]
 * @property {number|null} [double_take]
 * @property {number|null} [double_drop]
 * @property {string} [verdict]
 * @property {string|null} [refusal]
 * @property {boolean} [redouble]
 * @property {number[]} [chances]
 * @property {number|null} [take_point]
 * @property {number|null} [double_point]
 * @property {(number|null)[]} [gammon_values]  of the player on roll, and of the opponent
 * @property {string} [unlimited]  the verdict in unlimited play
 * @property {string[][]} [scores]  the verdict by what the player on roll needs, then the opponent
 * @property {number} [trials]  how often a rollout has played each choice
 * @property {number} [trials_most]
 * @property {number} [turns]
 * @property {boolean} [cube]  whether the cube was played in the trials
 * @property {Record<string, {band: number|null}|null>} [exactness]
 * @property {Compared[]} [compared]
 * @property {boolean} [scoreless]  whether the score and the cube were left out
 */
/** @typedef {import("../../board/arrows.js").Arrow} Arrow */

const language = document.documentElement.lang || "en";
const three = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3, signDisplay: "exceptZero" });
const percent = new Intl.NumberFormat(language, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** −0.041 with a true minus. @param {number} value @returns {string} */
const figure = (value) => three.format(value).replace("-", "−");
const plain = new Intl.NumberFormat(language, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
const whole = new Intl.NumberFormat(language);

/** ±0.008, or nothing with too few trials. @param {number|null|undefined} band @returns {string} */
const bandOf = (band) => (band === null || band === undefined ? "–" : `±${plain.format(band)}`);

/** The ply of what was looked up in a table of exact values (`backgammon.counting.judging.EXACT`). */
const EXACT = 99;

/** @param {number} ply @returns {string} */
const depthOf = (ply) => (ply === EXACT ? say("exact") : say("{count}-ply", { count: ply }));

/** What is right about a cube in the middle. @type {Record<string, string>} */
const VERDICTS = {
  no_double: say("No double; opponent would take."),
  too_good: say("Too good to double: play on for the gammon. Opponent would drop."),
  double_take: say("Double, and the opponent takes."),
  double_drop: say("Double, and the opponent drops."),
  double_beaver: say("Double, although the opponent beavers."),
  no_double_beaver: say("No double; the opponent would beaver."),
};

/** The same about one's own cube. @type {Record<string, string>} */
const REDOUBLE_VERDICTS = {
  no_double: say("No redouble; the opponent would take."),
  too_good: say("Too good to redouble: play on for the gammon. The opponent would drop."),
  double_take: say("Redouble, and the opponent takes."),
  double_drop: say("Redouble, and the opponent drops."),
  double_beaver: say("Redouble, although the opponent beavers."),
  no_double_beaver: say("No redouble; the opponent would beaver."),
};

/** Why there is nothing to decide about the cube. @type {Record<string, string>} */
const REFUSALS = {
  crawford: say("No doubling in the Crawford game."),
  not_yours: say("The opponent owns the cube, so there is nothing to decide."),
  dead: say("The cube is dead: a plain win already wins the match."),
  score: say("The net on your device does not judge the cube at a score. Choose a depth to ask the house."),
};

/** The ways of a cube. @type {Record<string, string>} */
const WAYS = {
  no_double: say("No double"),
  double_take: say("Double, take"),
  double_drop: say("Double, drop"),
  redouble_no: say("No redouble"),
  redouble_take: say("Redouble, take"),
  redouble_drop: say("Redouble, drop"),
};

/** How two choices differ in a rollout: two plays, or the better way of a cube. @type {Record<string, string>} */
const COMPARED = {
  play: say("{better} is better than {worse} by {by} ± {band}."),
  double: say("Doubling is better than not doubling by {by} ± {band}."),
  no_double: say("Not doubling is better than doubling by {by} ± {band}."),
  take: say("Taking is better than dropping by {by} ± {band}."),
  drop: say("Dropping is better than taking by {by} ± {band}."),
};

export class AnswerView {
  /** @param {(arrows: Arrow[]) => void} draw  shows the arrows of a play in light's numbers */
  constructor(draw) {
    this.draw = draw;
    this.place = byId("analysis-result");
    /** @type {Answer|null} */
    this.answer = null;
    /** @type {0|1} */
    this.turn = 0;
  }

  /** @param {Answer} answer @param {0|1} turn  whose plays they are */
  show(answer, turn) {
    this.answer = answer;
    this.turn = turn;
    this.place.removeAttribute("data-old");
    this.place.replaceChildren(...(answer.kind === "play" ? this.plays(answer) : this.cube(answer)), ...comparedOf(answer));
    write(byId("analysis-engine"), originOf(answer));
    if (answer.kind === "play") this.choose(0);
  }

  /** Whether what is shown is about a position that is no longer there. */
  get isOld() {
    return this.place.hasAttribute("data-old");
  }

  /** The answer is about a position that is no longer there. */
  age() {
    if (!this.answer) return;
    this.place.setAttribute("data-old", "");
    this.arrows([]);
  }

  /** @param {Answer} answer @returns {HTMLElement[]} */
  plays(answer) {
    const options = answer.options ?? [];
    write(byId("analysis-said"), say("Best: {play}", { play: options[0].text || say("no legal move") }));
    const table = make("table", "analysis-plays");
    const columns = [sayIn("analysis", "Play"), say("Equity"), say("Loses"), answer.trials === undefined ? say("Depth") : say("± 95 %")];
    const head = make("tr", "", ...columns.map((title) => make("th", "", title)));
    for (const cell of head.children) cell.setAttribute("scope", "col");
    const worst = Math.max(...options.map(({ loss }) => loss), 0.001);
    const rows = options.map((option, at) => this.row(option, at, worst, answer.trials !== undefined));
    table.append(make("thead", "", head), make("tbody", "", ...rows));
    const parts = [table];
    if ((answer.choices ?? 0) > options.length) parts.push(make("p", "muted small", say("The best {count} of {all} plays.", { count: options.length, all: answer.choices ?? 0 })));
    const chances = make("dl", "analysis-chances");
    chances.id = "analysis-chances";
    return [...parts, chances];
  }

  /** @param {Option} option @param {number} at @param {number} worst @param {boolean} rolled  of a rollout @returns {HTMLElement} */
  row(option, at, worst, rolled) {
    const choose = make("button", "analysis-play", option.text || say("no legal move"));
    if (option.own) choose.append(make("small", "muted", ` ${say("your play")}`));
    choose.setAttribute("type", "button");
    choose.setAttribute("aria-pressed", "false");
    const bar = /** @type {HTMLMeterElement} */ (make("meter", ""));
    [bar.max, bar.value] = [worst, option.loss];
    bar.setAttribute("aria-hidden", "true");
    const loses = make("td", "", ...(at ? [bar, figure(-option.loss)] : ["0"]));
    const row = make("tr", "", make("td", "", choose), make("td", "", figure(option.equity)), loses, make("td", "muted", rolled ? bandOf(option.band) : depthOf(option.ply)));
    row.addEventListener("click", () => this.choose(at));
    return row;
  }

  /** Show a play's arrows and chances. @param {number} at */
  choose(at) {
    const option = this.answer?.options?.[at];
    if (!option || this.place.hasAttribute("data-old")) return;
    for (const [i, each] of this.place.querySelectorAll(".analysis-play").entries()) each.setAttribute("aria-pressed", String(i === at));
    const seen = (/** @type {number} */ place) => (this.turn === 0 || place === 0 || place === 25 ? place : 25 - place);
    const moves = option.moves.map(([from, to]) => /** @type {[number, number]} */ ([seen(from), seen(to)]));
    this.arrows(arrowsOf(moves, { side: this.turn === 0 ? "me" : "op", kind: at ? "second" : "best" }), option.text);
    if (option.chances) byId("analysis-chances").replaceChildren(...chancesOf(option.chances));
  }

  /** @param {Arrow[]} arrows @param {string} [text] */
  arrows(arrows, text = "") {
    this.draw(arrows);
    write(byId("analysis-legend"), text && say("Arrows: {play}", { play: text }));
  }

  /** @param {Answer} answer @returns {HTMLElement[]} */
  cube(answer) {
    const re = answer.redouble ? "redouble" : "double";
    write(byId("analysis-said"), answer.refusal ? REFUSALS[answer.refusal] : (answer.redouble ? REDOUBLE_VERDICTS : VERDICTS)[answer.verdict ?? ""]);
    /** @type {[string, number|null|undefined, string][]} */
    const ways = [
      [answer.redouble ? "redouble_no" : "no_double", answer.no_double, "no_double"],
      [`${re}_take`, answer.double_take, "double_take"], [`${re}_drop`, answer.double_drop, ""],
    ];
    const table = make("table", "analysis-plays analysis-cube");
    const rows = ways.flatMap(([word, equity, exact]) => {
      if (equity === null || equity === undefined) return [];
      const name = make("th", "", WAYS[word]);
      name.setAttribute("scope", "row");
      const row = make("tr", "", name, make("td", "", figure(equity)));
      if (answer.exactness) row.append(make("td", "muted", exact ? bandOf(answer.exactness[exact]?.band) : ""));
      row.classList.toggle("is-best", word === this.bestOf(answer, re));
      return [row];
    });
    table.append(make("tbody", "", ...rows));
    const chances = make("dl", "analysis-chances", ...chancesOf(answer.chances ?? []));
    this.arrows([]);
    return [table, chances, ...scoresOf(answer)];
  }

  /** The way of the cube that both players take rightly. @param {Answer} answer @param {string} re @returns {string} */
  bestOf(answer, re) {
    const none = answer.redouble ? "redouble_no" : "no_double";
    if (answer.verdict === "double_drop") return `${re}_drop`;
    return answer.verdict === "double_take" || answer.verdict === "double_beaver" ? `${re}_take` : none;
  }
}

/** Who has answered, how deep and in what time. @param {Answer} answer @returns {string} */
function originOf({ engine, version, ply, seconds: took, trials, turns = 0, cube = true, scoreless }) {
  const facts = { engine, version, depth: depthOf(ply), seconds: seconds.format(took) };
  if (trials !== undefined) {
    const rolled = say("{engine} {version} · rollout at {depth} · {trials} trials of {turns} turns · {seconds} s", { ...facts, trials: whole.format(trials), turns });
    return cube ? rolled : `${rolled} · ${say("without the cube")}`;
  }
  if (engine !== "device") return say("{engine} {version} · {depth} · {seconds} s", facts);
  const device = say("Quick, on your device: a small net, {depth}, {milliseconds} ms. The house sees more.", { ...facts, milliseconds: Math.max(1, Math.round(1000 * took)) });
  return scoreless ? `${device} ${say("Score and cube are not counted.")}` : device;
}

/** The chances of the player on roll, and of losing. @param {number[]} chances @returns {HTMLElement[]} */
function chancesOf([win, gammon, backgammon, gammonLost, backgammonLost]) {
  const told = [
    [say("Win"), win], [say("Gammon"), gammon], [say("Backgammon"), backgammon],
    [say("Loss"), 1 - win], [say("Gammon lost"), gammonLost], [say("Backg. lost"), backgammonLost],
  ];
  return told.map(([name, value]) => make("div", "", make("dt", "", String(name)), make("dd", "", percent.format(Number(value)))));
}

/** Verdicts as short as they fit into a table. @type {Record<string, string>} */
const SHORT = {
  no_double: say("ND"), too_good: say("TG"), double_take: say("D/T"), double_drop: say("D/P"),
  double_beaver: say("D/B"), no_double_beaver: say("ND"), no_cube: "–",
};

/** What gammons and takes are worth at this score, and the cube at all others. @param {Answer} answer @returns {HTMLElement[]} */
function scoresOf({ take_point, double_point, gammon_values: [own, theirs] = [], unlimited, scores }) {
  if (!scores) return [];
  /** @type {[string, string][]} */
  const facts = [
    [say("Take point"), take_point], [say("Doubling from"), double_point],
  ].flatMap(([name, value]) => (typeof value === "number" ? [[String(name), percent.format(value)]] : []));
  for (const [name, value] of [[say("Gammon value"), own], [say("Gammon value, opponent"), theirs]]) {
    if (typeof value === "number") facts.push([String(name), plain.format(value)]);
  }
  const listed = make("dl", "analysis-chances", ...facts.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
  const cell = (/** @type {string} */ verdict) => {
    const found = make("td", "", SHORT[verdict]);
    found.dataset.verdict = verdict;
    return found;
  };
  const headed = (/** @type {string} */ text, /** @type {string} */ scope) => {
    const found = make("th", "", text);
    found.setAttribute("scope", scope);
    return found;
  };
  const numbers = scores.map((_, at) => headed(String(at + 1), "col"));
  const rows = scores.map((row, at) => make("tr", "", headed(String(at + 1), "row"), ...row.map(cell)));
  const table = make("table", "analysis-scores", make("thead", "", make("tr", "", make("td", ""), ...numbers)), make("tbody", "", ...rows));
  const scroll = make("div", "scroll", table);
  scroll.tabIndex = 0;
  const about = make("p", "muted small", `${say("Rows: points the player on roll needs; columns: points the opponent needs.")} ${say("ND: no double, D/T: double and take, D/P: double and drop, D/B: double and beaver, TG: too good, –: no cube.")}`);
  const more = make("details", "analysis-matrix", make("summary", "", say("The cube at other scores")), make("p", "", say("Unlimited play: {verdict}", { verdict: SHORT[unlimited ?? "no_cube"] })), scroll, about);
  return [listed, more];
}

/** What a rollout says about the differences. @param {Answer} answer @returns {HTMLElement[]} */
function comparedOf({ compared = [] }) {
  if (!compared.length) return [];
  const lines = compared.map(({ what, better, worse, by, band, is_clear }) => {
    if (band === null) return make("li", "", say("There are too few trials yet to say how exact this is."));
    const told = filled(COMPARED[what === "play" ? what : better], { better, worse: worse ?? "", by: plain.format(by), band: plain.format(band) });
    return make("li", "", `${told} ${is_clear ? say("That is more than chance explains (95 %).") : say("The difference lies within chance: more trials could turn it round.")}`);
  });
  return [make("ul", "analysis-compared", ...(compared[0].band === null ? lines.slice(0, 1) : lines))];
}
