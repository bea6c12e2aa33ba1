"""Carrying out commands: events and a state, from a table at hand, its dice and a moment.

Both lanes decide here. Only the rows that the dice of the table need are read or written.
"""

from collections.abc import Sequence

from games.models import Table
from games.services.dice.source import TableDice
from games.table import commands as cmd
from games.table import events as ev
from games.table.evolve import evolve
from games.table.machine import check_roll, decide, dice_due_ms, needs_dice
from games.table.state import TableState


class TableDecision:
    """One moment at a table: commands go in, events and a new state come out.

    Where two clocks differ, `now_ms` is that of the last change of turns: no time is counted
    backwards. `people` are the seats' players if they have changed, else None; `shown` is set if
    the public view of the dice has changed, with or without events.
    """

    def __init__(self, table: Table, state: TableState, now_ms: int, dice: TableDice) -> None:
        self.table, self.state, self.dice = table, state, dice
        self.now_ms = max(now_ms, state.clock.since_ms)
        self.events: list[ev.Event] = []
        self.people: Sequence[object] | None = None
        self.shown = False

    @property
    def first_seq(self) -> int:
        """The number of the first event."""
        return self.state.seq - len(self.events) + 1

    @property
    def dice_due_ms(self) -> int | None:
        """When the roll that began here waits no longer; None if none began."""
        return dice_due_ms(self.state) if self.events else None

    def give(self, command: cmd.Command, seat: int | None = None) -> None:
        """Let the machine decide a command and take in its events. Raises `TableError`."""
        if isinstance(command, cmd.Roll):
            check_roll(self.state, seat)
            assert seat is not None, "the house rolls in nobody's name"
            self.dice.take(self.state, seat, command.element)
            command = self._roll(auto=False)
        self._take_in(decide(self.state, command, self.now_ms, seat))
        self._roll_on()

    def dice_fall_if_ready(self) -> bool:
        """Complete the waiting roll if no part is missing or its time is over."""
        due_ms = dice_due_ms(self.state)
        if due_ms is None:
            return False
        if self.now_ms < due_ms and self.dice.wait_until_ms(self.state, self.now_ms) is not None:
            return False
        self.dice_fall()
        return True

    def dice_fall(self) -> None:
        """Complete the pending roll with the parts that are there."""
        game = self.state.game
        assert game is not None
        assert game.dice_asked is not None, "dice were asked for"
        dice = cmd.GiveDice(dice=self.dice.draw(self.state), auto=game.dice_asked.auto)
        self._take_in(decide(self.state, dice, self.now_ms, game.on_roll))
        self._roll_on()

    def _roll_on(self) -> None:
        """Roll for a player who has no decision before the dice."""
        while needs_dice(self.state):
            assert self.state.game is not None
            rolled = self._roll(auto=True)
            self._take_in(decide(self.state, rolled, self.now_ms, self.state.game.on_roll))

    def _roll(self, *, auto: bool) -> cmd.Command:
        """The dice, or the request for the players' parts; used-up chains void the match."""
        if self.dice.is_over(self.state):
            return cmd.Void()
        until_ms = self.dice.wait_until_ms(self.state, self.now_ms)
        if until_ms is not None:
            return cmd.AskForDice(auto=auto, due_ms=until_ms)
        return cmd.GiveDice(dice=self.dice.draw(self.state), auto=auto)

    def _take_in(self, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)
