"""The heart of every service: commands on a locked table become stored events.

Inside one transaction: the row lock, the events, the folded state, the deadline, and at the end of
a match the ratings and the books. What everyone hears goes out after the commit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID, uuid4

import msgspec
from django.db import OperationalError, connection

from games import settlement
from games.broadcast import LOBBY_CHANNEL, publish_on_commit, table_channel
from games.models import Deadline, Match, Table, TableEvent
from games.modes.registry import mode_of
from games.prizes.payout import Ending, Result
from games.selectors import prices, update_frame
from games.services.dice.source import TableDice, dice_of
from games.services.house_bots import bot_turn_note
from games.services.moments import moment
from games.services.pairs import pair_claim
from games.services.people import people_at
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import Busy
from games.table.evolve import evolve
from games.table.machine import check_roll, decide, dice_due_ms, due_ms, needs_dice
from games.table.state import TableState
from games.wire import event_frame, event_payload

LOCK_TIMEOUT = "3s"


def table_lock(table_id: UUID) -> Table:
    """The table's row, locked until the transaction ends. Raises `Table.DoesNotExist`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)


@dataclass(slots=True)
class Change:
    """One transaction's work on a locked table: commands go in, `store` writes the outcome.

    Where two clocks differ, `now_ms` becomes that of the last change of turns: no time is counted
    backwards.
    """

    table: Table
    state: TableState
    now_ms: int
    events: list[ev.Event] = field(default_factory=list)
    transfer: Callable[[], None] | None = None
    match_begun: str = ""
    settled: bool = False
    dice: TableDice = field(init=False)

    def __post_init__(self) -> None:
        self.now_ms = max(self.now_ms, self.state.clock.since_ms)
        self.dice = dice_of(self.table)

    @property
    def first_seq(self) -> int:
        """The number of the first event of this change."""
        return self.state.seq - len(self.events) + 1

    @property
    def dice_due_ms(self) -> int | None:
        """When the roll that this change began waits no longer; None if it began none."""
        return dice_due_ms(self.state) if self.events else None

    def give(self, command: cmd.Command, seat: int | None = None) -> None:
        """Let the machine decide a command and take in its events. Raises `TableError`."""
        if isinstance(command, cmd.Roll):
            check_roll(self.state, seat)
            assert seat is not None, "the house rolls in nobody's name"
            self.dice.take(self.state, seat, command.element)
            command = self._roll(auto=False)
        elif isinstance(command, cmd.Rematch):
            command = cmd.GiveRematch(match=str(uuid4()), rated=self._rated(self.state.seats[1]))
        elif isinstance(command, cmd.Sit):
            command = msgspec.structs.replace(command, rated=self._rated(command.player))
        self._take_in(decide(self.state, command, self.now_ms, seat))
        self._begin_match()
        self._roll_on()

    def dice_fall(self) -> None:
        """Complete the roll that has been asked for with the parts that are there."""
        game = self.state.game
        assert game is not None
        assert game.dice_asked is not None, "dice were asked for"
        dice = cmd.GiveDice(dice=self.dice.draw(self.state), auto=game.dice_asked.auto)
        self._take_in(decide(self.state, dice, self.now_ms, game.on_roll))
        self._roll_on()

    def _roll_on(self) -> None:
        """Roll for whoever has nothing to decide before his dice."""
        while needs_dice(self.state):
            assert self.state.game is not None
            rolled = self._roll(auto=True)
            self._take_in(decide(self.state, rolled, self.now_ms, self.state.game.on_roll))

    def _roll(self, *, auto: bool) -> cmd.Command:
        """The dice, or the question to the players for their parts; no more dice void the match."""
        if self.dice.is_over(self.state):
            return cmd.Void()
        until_ms = self.dice.wait_until_ms(self.state, self.now_ms)
        if until_ms is not None:
            return cmd.AskForDice(auto=auto, due_ms=until_ms)
        return cmd.GiveDice(dice=self.dice.draw(self.state), auto=auto)

    def _rated(self, guest_id: int | None) -> bool:
        """Whether a match of the opener with this guest is rated, by the pair limit of now."""
        opener_id = self.state.seats[0]
        if opener_id is None or guest_id in (None, opener_id):
            return True  # no match begins
        assert guest_id is not None
        if not mode_of(self.state.terms).rated(self.state.terms):
            return True  # nothing is rated in this mode anyway
        try:
            return pair_claim(opener_id, guest_id, prices().pair_limit)
        except OperationalError as error:
            raise Busy("the table is busy, try again") from error

    def _begin_match(self) -> None:
        """A match that has just started gets its row; its stakes move when all is written."""
        if not any(isinstance(event, ev.MatchStarted) for event in self.events):
            return
        if self.state.match is None or self.match_begun == self.state.match.id:
            return
        self.match_begun = self.state.match.id
        match = _match_create(self.table, self.state, self.now_ms)
        self.table.people = people_at(self.state.seats, self.state.terms)
        self.transfer = partial(settlement.stakes_take, match)

    def settle(self) -> None:
        """Take in what follows from the end of a match: from now on `state.seq` is the last one."""
        if self.settled:
            return
        self.settled = True
        for event in tuple(self.events):
            if isinstance(event, ev.MatchEnded):
                self._settle_match(event)
            elif isinstance(event, ev.MatchVoided):
                self._refund_match(event)

    def store(self) -> bool:
        """Write everything, move credits and ratings if a match ended, publish after the commit.

        False if nothing has happened that could be written.
        """
        if not self.events:
            return False
        self.settle()
        payloads = [event_payload(event) for event in self.events]
        first_seq = self.first_seq
        TableEvent.objects.bulk_create(
            TableEvent(table=self.table, seq=seq, type=payload["type"], payload=payload)
            for seq, payload in enumerate(payloads, start=first_seq)
        )
        self.dice.store(self.state, self.events)
        listed_before = self.table.seq > 0 and self.table.phase == "open"
        self._save_table()
        self._save_deadline()
        if mode_of(self.state.terms).is_practice:
            bot_turn_note(self.table, self.state, moment(self.now_ms))
        frames = [event_frame(seq, p) for seq, p in enumerate(payloads, start=first_seq)]
        frame = update_frame(self.table, self.state, frames, self.now_ms)
        publish_on_commit(table_channel(self.table.pk), frame)
        if listed_before != (self.table.phase == "open"):
            publish_on_commit(LOBBY_CHANNEL, {"type": "changed"})
        if self.transfer is not None:
            self.transfer()  # the books last: their locks are held for the shortest time
        return True

    def _take_in(self, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)

    def _settle_match(self, ended: ev.MatchEnded) -> None:
        match = self._match_locked()
        result = Result(ended.winner, Ending(ended.ending), ended.points)
        settled, self.transfer = settlement.match_settle(match, result)
        payout = settled.payout
        self.give(
            cmd.Settle(
                paid_cents=payout.paid_cents,
                rake_cents=payout.rake_cents,
                elo_before=settled.elo_before,
                elo_after=settled.elo_after,
            )
        )
        match.winner_seat, match.points = ended.winner, ended.points
        self._close_match(match, ended.ending, payout.paid_cents, payout.rake_cents)

    def _refund_match(self, voided: ev.MatchVoided) -> None:
        match = self._match_locked()
        payout, refund = settlement.match_refund(match)
        if self.transfer is None:  # a match that was settled already is taken back otherwise
            self.transfer = refund
        match.winner_seat, match.points = None, 0
        self._close_match(match, voided.reason, payout.paid_cents, payout.rake_cents)

    def _match_locked(self) -> Match:
        assert self.state.match is not None
        return Match.objects.select_for_update(no_key=True).get(pk=self.state.match.id)

    def _close_match(
        self, match: Match, ending: str, paid_cents: tuple[int, int], rake_cents: int
    ) -> None:
        assert self.state.match is not None
        match.ending = ending
        match.score = list(self.state.match.score)
        match.paid_cents = list(paid_cents)
        match.rake_cents = rake_cents
        match.ended_at = moment(self.now_ms)
        match.save(
            update_fields=[
                "winner_seat", "points", "ending", "score", "paid_cents", "rake_cents", "ended_at",
            ]
        )  # fmt: skip

    def _save_table(self) -> None:
        table, state = self.table, self.state
        table.phase, table.seq = state.phase, state.seq
        table.state = msgspec.to_builtins(state)
        table.opener_id, table.guest_id = state.seats[0], state.seats[1]
        table.changed_at = moment(self.now_ms)
        table.save(update_fields=["phase", "seq", "state", "guest", "people", "fair", "changed_at"])

    def _save_deadline(self) -> None:
        due = due_ms(self.state)
        if due is None:
            Deadline.objects.filter(table=self.table).delete()
            return
        Deadline.objects.update_or_create(table=self.table, defaults={"due_at": moment(due)})


def _match_create(table: Table, state: TableState, now_ms: int) -> Match:
    assert state.match is not None
    return Match.objects.create(
        id=state.match.id,
        table=table,
        number=state.match.number,
        mode=state.terms.mode,
        variant=state.terms.variant,
        player_0_id=state.seats[0],
        player_1_id=state.seats[1],
        stake_cents=state.terms.stake_cents,
        terms=msgspec.to_builtins(state.terms),
        rated=state.match.rated,
        started_at=moment(now_ms),
    )
