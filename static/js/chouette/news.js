// @ts-check
/** What has happened between two views, in words, for those who do not see it. */

import { say } from "../say.js";
import { called, moverOf, nameOf, namesOf, partyAt } from "./view.js";
import { cubeOfTeam, hasOneCube } from "./onecube.js";
import { resultText } from "./questions.js";

/** @typedef {import("./view.js").View} View */

/** @param {View} before @param {View} view @returns {string} */
export function newsOf(before, view) {
  const said = [...comings(before, view), ...games(before, view), ...decisions(before, view), ...oneDouble(before, view), ...dice(before, view), ...advice(before, view)];
  return said.join(" ");
}

/** @param {View} before @param {View} view @returns {string[]} */
function comings(before, view) {
  const then = before.people.map(({ id }) => id);
  const now = view.people.map(({ id }) => id);
  const came = now.filter((id) => !then.includes(id) && id !== view.me);
  const gone = then.filter((id) => !now.includes(id) && id !== view.me);
  return [
    ...came.map((id) => say("{name} sits down.", { name: nameOf(view, id) })),
    ...gone.map((id) => say("{name} has left.", { name: nameOf(before, id) })),
  ];
}

/** @param {View} before @param {View} view @returns {string[]} */
function games(before, view) {
  if (view.closed && !before.closed) return [say("This table is closed")];
  if (view.phase === "between_games" && before.phase !== "between_games") {
    const [last] = view.games;
    return [say("Game {game} is over", { game: view.game }), last ? resultText(view, last) : ""];
  }
  if (view.game === before.game) return [];
  const box = moverOf(view, "box");
  return box ? [say("Game {game} begins. Box: {name}.", { game: view.game, name: called(view, box.id) })] : [];
}

/** @param {View} before @param {View} view @returns {string[]} */
function decisions(before, view) {
  if (view.game !== before.game) return [];
  return view.cubes.flatMap((cube) => {
    const then = before.cubes.find(({ player }) => player === cube.player);
    if (!then || cube.player === view.me) return [];
    const name = nameOf(view, cube.player);
    if (cube.settled && !then.settled) return [say("{name} is out of this game.", { name })];
    if (cube.state === then.state) return [];
    if (cube.state === "decided") return [say("{name} has decided.", { name })];
    if (cube.state === "offered" && !hasOneCube(view)) return [say("{name}: double to {value}.", { name, value: 2 * cube.value })];
    return [];
  });
}

/** A double of the team's one cube. @param {View} before @param {View} view @returns {string[]} */
function oneDouble(before, view) {
  const phases = ["box_answers", "team_answers"];
  const cube = hasOneCube(view) ? cubeOfTeam(view) : null;
  if (!cube || !phases.includes(view.phase) || phases.includes(before.phase)) return [];
  return [say("{name}: double to {value}.", { name: say("Cube of the team"), value: 2 * cube.value })];
}

/** @param {View} before @param {View} view @returns {string[]} */
function dice(before, view) {
  const said = [];
  if (view.last_play && JSON.stringify(view.last_play) !== JSON.stringify(before.last_play)) {
    const name = moverOf(view, partyAt(view, view.last_play.seat === 0 ? "me" : "op"))?.name ?? "";
    said.push(say("{name} played {text}.", { name, text: view.last_play.text || say("no legal move") }));
  }
  if (view.dice && `${view.turn}${view.dice}` !== `${before.turn}${before.dice}`) said.push(say("Dice: {dice}.", { dice: view.dice.join(" ") }));
  return said;
}

/** @param {View} before @param {View} view @returns {string[]} */
function advice(before, view) {
  const known = new Set(before.talk.map(({ player, text }) => `${player}/${text}`));
  return view.talk
    .filter(({ player, text }) => player !== view.me && !known.has(`${player}/${text}`))
    .map(({ player, text }) => say("{name} advises {text}.", { name: namesOf(view, [player]), text }));
}
