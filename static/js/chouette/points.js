// @ts-check
/** Who has won how many points from whom, the credits of the table, those who come and go, and the last games. */

import { byId, make, write } from "../table/dom.js";
import { say, sayCount } from "../say.js";
import { money, signedMoney } from "../table/text.js";
import { resultText } from "./questions.js";
import { called, isSeated, plus } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").Person} Person */

/** @param {View} view */
export function showPoints(view) {
  showTable(view);
  write(byId("points-note"), noteFor(view));
  write(byId("points-ledger"), ledgerText(view));
  write(byId("comers"), comersText(view));
  showGames(view);
}

/** What has been won from whom, by the ids of both. @param {View} view @returns {(one: number, two: number) => number} */
function pointsOf(view) {
  const won = new Map(view.points.pairs.flatMap(([one, two, points]) => [[`${one}/${two}`, points], [`${two}/${one}`, -points]]));
  return (one, two) => won.get(`${one}/${two}`) ?? 0;
}

/** @param {View} view */
function showTable(view) {
  const { people } = view;
  const won = pointsOf(view);
  const short = shortNames(people.map((person) => called(view, person.id)));
  const names = people.map((person, i) => headCell(short[i], called(view, person.id)));
  const head = make("tr", "", make("td"), ...names, headCell(say("all")));
  const rows = people.map((person) => {
    const figures = people.map((other) => (other.id === person.id ? make("td", "self", "·") : figure(won(person.id, other.id))));
    const total = figure(view.points.totals[String(person.id)] ?? 0);
    total.classList.add("total");
    const name = make("th", "", called(view, person.id));
    name.setAttribute("scope", "row");
    return make("tr", person.id === view.me ? "mine" : "", name, ...figures, total);
  });
  const table = byId("points-table");
  table.hidden = !people.length;
  const made = [make("thead", "", head), make("tbody", "", ...rows)];
  const same = table.children.length && made.every((part, i) => part.isEqualNode(table.children[i + 1]));
  if (!same) table.replaceChildren(table.children[0], ...made);
}

/** @param {string} text @param {string} [full] @returns {HTMLElement} */
function headCell(text, full) {
  const made = make("th", "", text);
  made.setAttribute("scope", "col");
  if (full && full !== text) {
    made.title = full;
    made.setAttribute("aria-label", full);
  }
  return made;
}

/** @param {number} points @returns {HTMLElement} */
const figure = (points) => make("td", points > 0 ? "up" : points < 0 ? "down" : "", plus(points));

/** Three letters of each name; where two are the same, the last letter tells them apart. @param {string[]} names @returns {string[]} */
function shortNames(names) {
  const first = names.map((name) => [...name].slice(0, 3).join(""));
  return names.map((name, i) => {
    const letters = [...name];
    const alone = first.filter((other) => other === first[i]).length === 1;
    return alone || letters.length < 4 ? first[i] : letters.slice(0, 2).join("") + letters[letters.length - 1];
  });
}

/** @param {View} view @returns {string} */
function noteFor({ game, phase, terms }) {
  const over = phase === "between_games" ? game : game - 1;
  const rate = terms.rate_cents ? say("{amount} a point", { amount: money(terms.rate_cents) }) : "";
  return [over > 0 ? sayCount("after {count} game", "after {count} games", { count: over }) : "", rate].filter(Boolean).join(" · ");
}

/** @param {View} view @returns {string} */
function ledgerText(view) {
  if (!view.ledger) return "";
  const { ledger } = view;
  const amounts = view.people.filter(({ id }) => ledger[id] !== undefined).map(({ id }) => `${called(view, id)} ${signedMoney(ledger[id])}`);
  return amounts.length ? say("Credits so far: {amounts}", { amounts: amounts.join(" · ") }) : "";
}

/** @param {View} view @returns {string} */
function comersText(view) {
  const names = (/** @type {(person: Person) => boolean} */ which) => view.people.filter(which).map(({ id }) => called(view, id)).join(", ");
  const joining = names(({ role }) => role === "joining");
  const leaving = names(({ leaves_after }) => leaves_after);
  const away = names((person) => person.away);
  const parts = [
    joining && say("From the next game on: {names}.", { names: joining }),
    leaving && say("Leaves after this game: {names}.", { names: leaving }),
    away && say("Not connected: {names}.", { names: away }),
    isSeated(view) || view.closed ? "" : say("You are watching."),
  ];
  return parts.filter(Boolean).join(" ");
}

/** The last games, the newest first. @param {View} view */
function showGames(view) {
  const list = byId("games");
  byId("games-box").hidden = !view.games.length;
  const rows = view.games.map((game) => {
    const rake = game.rake_cents ? ` ${say("Rake {amount}.", { amount: money(game.rake_cents) })}` : "";
    return make("li", "", make("b", "", say("Game {game}", { game: game.number })), ` ${resultText(view, game)}${rake}`);
  });
  if (!rows.every((row, i) => list.children[i]?.isEqualNode(row)) || list.children.length !== rows.length) list.replaceChildren(...rows);
}
