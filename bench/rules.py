"""The time to find all legal plays of a roll: `python -m bench.rules [--rolls N]`.

Every variant is timed over positions of real play: bgsage's own choices where it has the game
(standard, Nackgammon, Hypergammon and variants with the same rules), elsewhere a player who makes
points, hits and hurries. Two times are printed for each roll: *plays*, the time to find every legal
play (as the graph that clients get), and *results*, with the set of positions on top. It is
processor time, so that other work on the machine does not count.
Beside them stand two generators in C++ on the same positions: bgsage's, and OpenSpiel's, which can
only be timed in its own games and is compared with ours there. OpenSpiel lists a double as two
actions; its time is the first of them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import thread_time
from typing import Any

import bgsage
import pyspiel

from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL, by_key

Dice = tuple[int, ...]
BGSAGE_PLAYS = {"backgammon", "nackgammon", "hypergammon", "short_nardi", "portes"}
BGSAGE_KNOWS = {"backgammon", "nackgammon", "hypergammon"}
OPEN_SPIEL = {"backgammon": {}, "hypergammon": {"hyper_backgammon": True}}
SPIEL_BAR = 100


@dataclass(frozen=True, slots=True)
class Times:
    """Sorted durations in seconds."""

    sorted_s: list[float]

    @classmethod
    def of(
        cls, work: Callable[[Position, Dice], object], rolls: list[tuple[Position, Dice]]
    ) -> Times:
        durations = []
        for position, dice in rolls:
            begin = thread_time()
            work(position, dice)
            durations.append(thread_time() - begin)
        return cls(sorted(durations))

    def __str__(self) -> str:
        times = self.sorted_s
        mean, p99 = sum(times) / len(times), times[int(len(times) * 0.99)]
        return f"{mean * 1e6:9.1f} {p99 * 1e6:9.1f} {times[-1] * 1e3:8.2f}"


def sage_board(position: Position) -> list[int]:
    return [position.bar[1], *position.points, position.bar[0]]


class SageChoice:
    """bgsage's play at its fastest level."""

    def __init__(self) -> None:
        self.analyzer = bgsage.create_analyzer("1ply", cubeful=False)

    def __call__(self, position: Position, dice: Dice, results: list[Position]) -> Position:
        answer = self.analyzer.checker_play(sage_board(position), *dice)
        best = {tuple(move.board): rank for rank, move in enumerate(answer.moves)}
        return min(results, key=lambda result: best.get(tuple(sage_board(result)), len(best)))


def simple_choice(position: Position, dice: Dice, results: list[Position]) -> Position:
    """The play of a simple player: makes points, hits or pins, and leaves no blots."""

    def worth(result: Position) -> tuple[int, int]:
        made = sum(1 for count in result.points if count >= 2)
        alone = sum(1 for count in result.points if count == 1)
        caught = result.bar[1] + len(result.pinned)
        return 2 * caught + made - alone + 3 * result.off[0], -result.pips()[0]

    return max(results, key=worth)


def rolls_of(variant: Variant, number: int, chance: random.Random) -> list[tuple[Position, Dice]]:
    """So many rolls from games of this variant, opening to bear-off."""
    choice = SageChoice() if variant.key in BGSAGE_PLAYS else simple_choice
    found: list[tuple[Position, Dice]] = []
    while len(found) < number:
        position, over = variant.start, False
        for _ in range(600):
            dice = tuple(chance.randint(1, 6) for _ in range(variant.dice_count))
            found.append((position, dice))
            results = sorted(variant.legal_plays(position, dice).results, key=Position.text)
            position = choice(position, dice, results)
            over = variant.outcome(position) is not None
            if over:
                break
            position = position.turned(variant.way)
    return found[:number]


def spiel_view(state: Any, player: int, checkers: int) -> Position:
    path = range(23, -1, -1) if player == 0 else range(24)
    mine = [state.board(player, spot) for spot in path]
    his = [state.board(1 - player, spot) for spot in path]
    bar = state.board(player, SPIEL_BAR), state.board(1 - player, SPIEL_BAR)
    off = checkers - sum(mine) - bar[0], checkers - sum(his) - bar[1]
    return Position(tuple(a - b for a, b in zip(mine, his, strict=True)), bar, off)


def spiel_rolls(
    variant: Variant, number: int, chance: random.Random
) -> Iterator[tuple[Any, Position, Dice]]:
    """OpenSpiel's own random games: its state, our position, the roll."""
    game = pyspiel.load_game("backgammon", OPEN_SPIEL[variant.key])
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            outcome = chance.choice(state.chance_outcomes())[0]
            words = state.action_to_string(pyspiel.PlayerId.CHANCE, outcome)
            state.apply_action(outcome)
            player = state.current_player()
            dice = tuple(int(face) for face in words.rstrip(")")[-2:])
            yield state.clone(), spiel_view(state, player, variant.checkers), dice
            number -= 1
            if not number:
                return
            while not state.is_terminal() and state.current_player() == player:
                state.apply_action(chance.choice(state.legal_actions()))


def show(name: str, times: Times) -> None:
    print(f"{name:44}{times}", flush=True)


def time_variant(variant: Variant, number: int) -> None:
    chance = random.Random(f"bench {variant.key}")
    rolls = rolls_of(variant, number, chance)
    show(f"{variant.key}: plays", Times.of(variant.legal_plays, rolls))
    show(
        f"{variant.key}: results",
        Times.of(lambda position, dice: variant.legal_plays(position, dice).results, rolls),
    )
    if variant.key in BGSAGE_KNOWS:
        boards = {position: sage_board(position) for position, _ in rolls}
        show(
            f"{variant.key}: bgsage (C++)",
            Times.of(lambda p, dice: bgsage.possible_moves(boards[p], *dice), rolls),
        )


def time_open_spiel(variant: Variant, number: int) -> None:
    found = list(spiel_rolls(variant, number, random.Random("bench OpenSpiel")))
    states = {(position, dice): state for state, position, dice in found}
    rolls = list(states)
    show(
        f"{variant.key}, OpenSpiel's games: plays",
        Times.of(variant.legal_plays, rolls),
    )
    show(
        f"{variant.key}, OpenSpiel's games: OpenSpiel (C++)",
        Times.of(lambda position, dice: states[position, dice].legal_actions(), rolls),
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rolls", type=int, default=3000, help="rolls for each variant")
    parser.add_argument("--variant", action="append", help="only this one (may be repeated)")
    chosen = parser.parse_args()
    variants = [by_key(key) for key in chosen.variant] if chosen.variant else list(ALL)
    print(f"Python {sys.version.split()[0]}, {chosen.rolls} rolls each")
    print(f"{'':44}{'mean µs':>9} {'p99 µs':>9} {'max ms':>8}")
    for variant in variants:
        time_variant(variant, chosen.rolls)
    for variant in variants:
        if variant.key in OPEN_SPIEL:
            time_open_spiel(variant, chosen.rolls)


if __name__ == "__main__":
    main()
