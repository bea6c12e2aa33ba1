"""The cost of a command's pure code: `python -m bench.machine [--games N] [--seed S]`.

Whole games of backgammon are played by the machine with random plays, doubles and resignations, as
a web server does it: the dice are calculated from both players' parts and the house's, the command
is decided, its events are taken in, the view is made and the frame is written. Each part stands in
a row of its own, with its processor time and its instructions; the search of legal plays, which is
part of `decide`, once more alone, for every variant.

The same games are played several times, each time in a process of its own, whose caches are empty.
Of each call the least time counts: other work on the machine can only add to it.
"""

import argparse
import gc
import sys
from hashlib import sha256
from multiprocessing import get_context
from random import Random

from backgammon.dice.chain import BLACK, HOUSE, WHITE, chains_back, steps
from backgammon.dice.opening import canonical_json, context_hash
from backgammon.dice.rolls import RollKind, roll_dice
from backgammon.rules.variant import Variant
from backgammon.rules.variants import ALL
from bench.instructions import Cost, Counter
from games.modes.prices import Prices
from games.modes.terms import Wishes
from games.table import commands as cmd
from games.table import events as ev
from games.table.evolve import evolve
from games.table.machine import decide, needs_dice
from games.table.plays import legal_plays
from games.table.resigning import resignable_levels
from games.table.rights import actions
from games.table.setup import terms_of
from games.table.shown import View
from games.table.state import TableState
from games.table.view import table_view
from games.wire import encode, numbered
from games.wire.frames import Update, in_parts

Measured = tuple[int, bool, dict[str, list[Cost]]]
"""Commands, whether instructions were counted, and what the calls of each part cost."""

START_MS = 1_790_000_000_000
TURN_MS = 4_000
PEOPLE = [
    {"id": 11, "name": "Magriel", "elo": 1712, "strength": 4, "bot": False, "plays_as": None},
    {"id": 22, "name": "Hilde", "elo": 1655, "strength": 3, "bot": False, "plays_as": None},
]
MATCH = "00000000-0000-4000-8000-000000000001"
TERMS = canonical_json({"black": "22", "game": "backgammon", "match": MATCH, "white": "11"})
CHANCE_OF_DOUBLE = 0.15
CHANCE_OF_DROP = 0.15
CHANCE_OF_RESIGNATION = 0.01


class Dice:
    """Mode L: each roll has an element of the house's chain and one of each player's."""

    def __init__(self, game: bytes) -> None:
        self.game, self.n = game, 0
        self.chains = {role: self._chain(role) for role in (HOUSE, WHITE, BLACK)}

    def _chain(self, role: bytes) -> list[bytes]:
        chain = [sha256(self.game + role).digest()]
        for _ in range(1024):
            chain.append(steps(self.game, role, chain[-1], 1))
        return chain[::-1]

    def roll(self, kind: int) -> tuple[int, ...]:
        """The next dice, after a look whether the players' elements are of their chains."""
        n, self.n = self.n, self.n + 1
        for role in (WHITE, BLACK):
            chain = self.chains[role]
            assert chains_back(self.game, role, chain[n + 1], chain[n], 1)
        house = steps(self.game, HOUSE, self.chains[HOUSE][n + 5], 4)
        return roll_dice(
            house,
            game_id=self.game,
            ctx=context_hash(TERMS),
            n=n,
            kind=kind,
            flags=0,
            white=self.chains[WHITE][n + 1],
            black=self.chains[BLACK][n + 1],
        )


class Played:
    """One match at one table, command by command, measured."""

    def __init__(self, count: Counter, random: Random) -> None:
        self.count, self.random = count, random
        self.state, self.now_ms, self.commands = TableState(), START_MS, 0
        self.dice = Dice(random.randbytes(16))
        self.boards: list[tuple[TableState, tuple[int, ...]]] = []
        terms = terms_of(Wishes(mode="normal"), Prices())
        self.take_in(cmd.OpenTable(player=11, terms=terms), None)
        self.take_in(cmd.Sit(player=22, match=MATCH), None)

    def play(self) -> None:
        """Commands until the match is over."""
        while self.state.phase != "over":
            self.now_ms += TURN_MS
            self.command(*self.wish())
            self.commands += 1

    def wish(self) -> tuple[cmd.Command, int]:
        """The command of the player who owes a decision: random, but never out of order."""
        state, chance = self.state, self.random.random()
        if state.decider is None:
            return cmd.Ready(), state.ready.index(False)
        seat = state.decider
        may = actions(state, seat) if chance < CHANCE_OF_DOUBLE else ()
        match state.phase:
            case "double_offered":
                return (cmd.Drop() if chance < CHANCE_OF_DROP else cmd.Take()), seat
            case "resignation_offered":
                return cmd.AcceptResignation(), seat
            case "play":
                return cmd.Play(moves=self.walk()), seat
        if chance < CHANCE_OF_RESIGNATION and "offer_resignation" in may:
            return cmd.OfferResignation(level=resignable_levels(state)[-1]), seat
        return (cmd.Double() if "double" in may else cmd.Roll()), seat

    def walk(self) -> tuple[tuple[int, int, int], ...]:
        """A random walk through the graph that the client has."""
        game = self.state.game
        assert game is not None
        assert game.dice is not None
        moves, _ = legal_plays(self.state, game, game.dice).pick(self.random.randrange)
        return tuple((move.source, move.target, move.die) for move in moves)

    def command(self, command: cmd.Command, seat: int) -> None:
        """One command and every roll that follows by itself, to the encoded frame."""
        first = self.state.seq + 1
        events = self.rolled(seat, auto=False) if isinstance(command, cmd.Roll) else None
        events = events or self.take_in(command, seat)
        while needs_dice(self.state):
            assert self.state.game is not None
            events += self.rolled(self.state.game.on_roll, auto=True)
        view = self.count("view", seen, self.state)
        self.count("encoding", written, self.state, events, first, self.now_ms, view)

    def rolled(self, seat: int, *, auto: bool) -> tuple[ev.Event, ...]:
        """The dice of a seat and what they lead to."""
        off = self.state.phase == "roll_off"
        dice = self.count("dice", self.dice.roll, RollKind.OPENING if off else RollKind.NORMAL)
        return self.take_in(cmd.GiveDice(dice=dice, auto=auto), seat)

    def take_in(self, command: cmd.Command, seat: int | None) -> tuple[ev.Event, ...]:
        """Decide one command and take in its events."""
        try:
            events = self.count("decide", decide, self.state, command, self.now_ms, seat)
        except Exception as error:
            error.add_note(f"{command} of seat {seat} in phase {self.state.phase}")
            raise
        for event in events:
            self.state = self.count("evolve", evolve, self.state, event)
        return events


def seen(state: TableState) -> View:
    return table_view(state, table=MATCH, players=PEOPLE)


def written(
    state: TableState, events: tuple[ev.Event, ...], first: int, now_ms: int, view: View
) -> list[str]:
    """The stored and sent results of one command, as text."""
    texts = [encode(event) for event in events]
    frames = [numbered(seq, text) for seq, text in enumerate(texts, start=first)]
    update = Update(seq=state.seq, now_ms=now_ms, events=frames, view=in_parts(view))
    return [encode(state), encode(update), *texts]


def search(count: Counter, variant: Variant, games: int, random: Random) -> None:
    """Search the plays of random games of a variant."""
    for _ in range(games):
        position = variant.start
        for _ in range(400):
            dice = tuple(random.randint(1, 6) for _ in range(variant.dice_count))
            plays = count(f"search, {variant.key}", variant.legal_plays, position, dice)
            _, after = plays.pick(random.randrange)
            if variant.outcome(after) is not None:
                break
            position = after.turned(variant.way)


def measure(seed: str, games: int, searched: int) -> Measured:
    """One run of everything, in a process of its own."""
    Played(Counter(), Random(f"warm {seed}")).play()
    count, commands = Counter(), 0
    gc.disable()  # a collection would be charged to the part that allocates then
    for number in range(games):
        match = Played(count, Random(f"{seed} {number}"))
        match.play()
        commands += match.commands
    for variant in ALL:
        search(count, variant, searched, Random(f"{seed} {variant.key}"))
    gc.enable()
    return commands, count.counts, count.costs


def main() -> None:
    """Measure, then print a row for each part."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10, help="games of backgammon by the machine")
    parser.add_argument("--searched", type=int, default=2, help="games of each variant searched")
    parser.add_argument("--seed", default="1", help="what the games follow from")
    parser.add_argument("--runs", type=int, default=5, help="how often all of it is measured")
    chosen = parser.parse_args()
    work = (chosen.seed, chosen.games, chosen.searched)
    with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        show([pool.apply(measure, work) for _ in range(chosen.runs)])


def show(runs: list[Measured]) -> None:
    """Print the mean of each part: for a call, and for a command where it belongs to one."""
    commands, counts, parts = runs[0]
    print(f"Python {sys.version.split()[0]}, {commands} commands, {len(runs)} runs")
    if not counts:
        print("this machine counts no instructions: only the times are told")
    print(f"{'':24}{'calls':>8}{'µs':>9}{'kI':>9}{'µs a command':>15}{'kI a command':>15}")
    for part in parts:
        calls = list(zip(*(costs[part] for _, _, costs in runs), strict=True))
        instructions = sum(min(each[0] for each in call) for call in calls) / 1e3
        us = sum(min(each[1] for each in call) for call in calls) / 1e3
        row = f"{part:24}{len(calls):8}{us / len(calls):9.1f}{instructions / len(calls):9.1f}"
        share = f"{us / commands:15.1f}{instructions / commands:15.1f}"
        print(row if part.startswith("search") else row + share)


if __name__ == "__main__":
    main()
