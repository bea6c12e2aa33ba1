"""Driving the pure machine in tests: commands in, state and events out, with time given by hand."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from random import Random

from games.modes.prices import Prices
from games.modes.registry import by_key
from games.modes.terms import Terms, Wishes
from games.table import commands as cmd
from games.table import events as ev
from games.table.evolve import evolve
from games.table.machine import decide
from games.table.setup import terms_of
from games.table.state import TableState
from games.table.turn import legal_plays, rolls_by_itself

MAGRIEL, HILDE, TILO = 11, 22, 33
START_MS = 1_790_000_000_000


def opener_begins(wishes: Mapping[str, object]) -> dict[str, object]:
    """These wishes; games that stand alone are begun by the opener unless they say otherwise."""
    mode = by_key(str(wishes["mode"]))
    if mode.contest == "game" and "start_rule" in mode.asks:
        return {"start_rule": "opener_alternates", **wishes}
    return dict(wishes)


def terms_for(**wishes: object) -> Terms:
    """The terms of a house with the usual prices."""
    return terms_of(Wishes(**opener_begins(wishes)), Prices())


class Rig:
    """A table whose commands the test gives. `dice` has the rolls in order."""

    def __init__(self, dice: Iterator[tuple[int, int]], terms: Terms | None = None) -> None:
        self.state = TableState()
        self.dice = dice
        self.now_ms = START_MS
        self.events: list[ev.Event] = []
        self.give(
            cmd.OpenTable(player=MAGRIEL, terms=terms or terms_for(mode="prize5", stake_cents=250))
        )

    def sit(self) -> "Rig":
        self.give(cmd.Sit(player=HILDE, match="00000000-0000-4000-8000-000000000001"))
        return self

    def give(self, command: cmd.Command, seat: int | None = None) -> tuple[ev.Event, ...]:
        """Decide and apply one command, and every roll that follows by itself."""
        before = len(self.events)
        if isinstance(command, cmd.Roll):
            command = cmd.GiveDice(dice=next(self.dice), auto=False)
        self._take_in(decide(self.state, command, self.now_ms, seat))
        while rolls_by_itself(self.state):
            assert self.state.game is not None
            rolled = cmd.GiveDice(dice=next(self.dice), auto=True)
            self._take_in(decide(self.state, rolled, self.now_ms, self.state.game.on_roll))
        return tuple(self.events[before:])

    def _take_in(self, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)

    @property
    def on_roll(self) -> int:
        assert self.state.game is not None
        return self.state.game.on_roll

    def go_on(self) -> None:
        """Both are ready for the next game."""
        self.give(cmd.Ready(), 0)
        self.give(cmd.Ready(), 1)

    def play_first(self) -> tuple[ev.Event, ...]:
        """Make the first legal play of the current dice."""
        game = self.state.game
        assert game is not None
        assert game.dice is not None
        moves = next(iter(legal_plays(self.state, game, game.dice)))
        wire = tuple((m.source, m.target, m.die) for m in moves)
        return self.give(cmd.Play(moves=wire), game.on_roll)

    def play_random(self, random: Random) -> tuple[ev.Event, ...]:
        """Make a random legal play of the current dice."""
        game = self.state.game
        assert game is not None
        assert game.dice is not None
        nodes = legal_plays(self.state, game, game.dice).graph.nodes
        node, moves = 0, []
        while nodes[node]:
            edge = random.choice(nodes[node])
            moves.append((edge.source, edge.target, edge.die))
            node = edge.next
        return self.give(cmd.Play(moves=tuple(moves)), game.on_roll)

    def turn(self) -> tuple[ev.Event, ...]:
        """One whole turn of the player on roll, without a double."""
        events: tuple[ev.Event, ...] = ()
        if self.state.phase == "roll":
            events = self.give(cmd.Roll(), self.on_roll)
        return events + (self.play_first() if self.state.phase == "play" else ())

    def play_game(self) -> None:
        """Play turns until the game has ended."""
        for _ in range(500):
            if self.state.phase not in ("roll", "play"):
                return
            self.turn()
        raise AssertionError("the game does not end")


def rig_of(dice: Sequence[tuple[int, ...]] = ((3, 1), (4, 2)), **wishes: object) -> Rig:
    """A table on these terms at which both sit; the dice repeat."""
    return Rig(cycle(dice), terms_for(**wishes)).sit()
