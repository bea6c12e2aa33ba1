"""The sure lane: commands on a locked table become stored events, in one transaction.

The row lock comes first, then the plan of what the commands lead to, written by the statement of
both lanes (`games.services.plans`), and at the end of a match the ratings and the books.
Everything that is sent goes out after the commit.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

import msgspec
from django.db import OperationalError, connection, transaction
from django.db.models import Model

from accounts.login_marks import are_linked
from games import settlement
from games.broadcast import (
    LOBBY_CHANNEL,
    person_channel,
    publish_on_commit,
    table_channel,
    text_on_commit,
)
from games.models import Match, Table
from games.modes.registry import mode_of
from games.selectors import prices, table_state
from games.services.bars import kept_apart
from games.services.dice.fair import FairDice, dice_of
from games.services.guests import is_guest
from games.services.house_bots import bot_turn_note
from games.services.people import pair_claim, people_at
from games.services.plans import (
    HandedOn,
    TableDecision,
    TablePlan,
    plan_of,
    plan_write,
    plans_write,
)
from games.services.trials import LOCK_TIMEOUT
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import Busy
from games.table.session import result_of
from games.table.state import TableState
from kit.database import database_now_ms, moment
from kit.errors import Refusal


@contextmanager
def locking(what: str) -> Iterator[None]:
    """Wait for row locks in this block no longer than `LOCK_TIMEOUT`. Raises `Busy`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
    try:
        yield
    except OperationalError as error:
        raise Busy(f"the {what} is busy, try again") from error


_Row = TypeVar("_Row", bound=Model)


def row_lock(rows: type[_Row], key: object, missing: type[Refusal]) -> _Row:
    """The row with this key, locked until the transaction ends. Raises `missing`, `Busy`."""
    locked = rows._default_manager.select_for_update(no_key=True)
    with locking("table"):
        found = locked.filter(pk=key).first()
    if found is None:
        raise missing(f"there is no such {rows._meta.verbose_name}")
    return found


def free_row_lock(rows: type[_Row], key: object) -> _Row | None:
    """The row with this key, locked as above; None where somebody else works on it."""
    free = rows._default_manager.select_for_update(no_key=True, skip_locked=True)
    with locking("table"):
        return free.filter(pk=key).first()


def table_lock(table_id: UUID) -> Table:
    """The table's row, locked until the transaction ends. Raises `Table.DoesNotExist`."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
    return Table.objects.select_for_update(no_key=True).get(pk=table_id)


class TableChange(TableDecision):
    """One transaction's work on a locked table: commands go in, `store` writes the outcome."""

    def __init__(self, table: Table, state: TableState, now_ms: int) -> None:
        super().__init__(table, state, now_ms, dice_of(table))
        self.transfer: Callable[[], None] | None = None
        self.match_begun = ""
        self.settled = False
        self.listed_before = False

    @classmethod
    def on(cls, table: Table, now_ms: int | None = None) -> "TableChange":
        """Work on a locked table as it is; `now_ms` is the database's time unless given."""
        return cls(table, table_state(table), database_now_ms() if now_ms is None else now_ms)

    def give(self, command: cmd.Command, seat: int | None = None) -> None:
        """Decide a command, with what only the database has for it. Raises `TableError`."""
        if isinstance(command, cmd.Rematch):
            command = cmd.GiveRematch(match=str(uuid4()), **self._rated(self.state.seats[1]))
        elif isinstance(command, cmd.Sit):
            command = msgspec.structs.replace(command, **self._rated(command.player))
        super().give(command, seat)
        self._begin_match()

    def take_over(self, decided: HandedOn) -> None:
        """Take in what was decided on this version of the table, as of now.

        Raises its `TableError`.
        """
        if decided.refusal is not None:
            raise decided.refusal
        made = decided.decision
        if isinstance(made.dice, FairDice):
            made.dice.move_to(self.table)
        self.dice = made.dice
        at_ms = self.now_ms  # nobody's time runs while the lock is waited for
        self._take_in(tuple(msgspec.structs.replace(event, at_ms=at_ms) for event in made.events))

    def store(self, *, user_id: int | None = None, command_id: str | None = None) -> bool:
        """Write everything, move credits and ratings if a match ended, publish after the commit.

        With `command_id` the command of this person is remembered with its answer. False if
        nothing has happened that could be written.
        """
        plan = self.planned(user_id=user_id, command_id=command_id)
        if plan is None:
            return False
        plan_write(plan)
        self.written(plan)
        return True

    def planned(
        self, *, user_id: int | None = None, command_id: str | None = None
    ) -> TablePlan | None:
        """The plan of what `store` writes; None if nothing has happened that could be written."""
        self._settle()
        self.listed_before = self.table.seq > 0 and self.table.phase == "open"
        plan = plan_of(self, user_id=user_id, command_id=command_id)
        return None if plan.is_empty else plan

    def written(self, plan: TablePlan) -> None:
        """Do what follows once the plan is written."""
        table = self.table
        table.state = msgspec.to_builtins(self.state)
        if mode_of(self.state.terms).is_practice:
            bot_turn_note(table, self.state, moment(self.now_ms))
        if plan.frame is not None:
            text_on_commit(table_channel(table.pk), plan.frame)
        if self.listed_before != (table.phase == "open"):
            publish_on_commit(LOBBY_CHANNEL, {"type": "changed"})
        score_tell_on_commit(table, self.events)
        if self.transfer is not None:
            self.transfer()  # the books last: their locks are held for the shortest time

    def _rated(self, guest_id: int | None) -> dict[str, Any]:
        """Whether a match of the opener with this guest is rated, by the pair limit of now.

        It is not if one of them has no account, between linked accounts, and where a bar keeps the
        two apart: a draw may still bring them together. Of a session also how
        many games are, where there is a limit.
        """
        opener_id = self.state.seats[0]
        if opener_id is None or guest_id in (None, opener_id):
            return {}  # no match begins
        assert guest_id is not None
        if not mode_of(self.state.terms).rated(self.state.terms):
            return {}  # nothing is rated in this mode anyway
        apart = are_linked(opener_id, guest_id) or kept_apart(opener_id, guest_id)
        if apart or is_guest(opener_id, guest_id):
            return {"rated": False}
        try:
            left = pair_claim(opener_id, guest_id, prices().pair_limit)
        except OperationalError as error:
            raise Busy("the table is busy, try again") from error
        games = left if self.state.terms.contest == "session" else None
        return {"rated": left != 0, "rated_games": games}

    def _begin_match(self) -> None:
        """A match that has just started gets its row; its stakes move when all is written."""
        if not any(isinstance(event, ev.MatchStarted) for event in self.events):
            return
        if self.state.match is None or self.match_begun == self.state.match.id:
            return
        self.match_begun = self.state.match.id
        match = _match_create(self.table, self.state, self.now_ms)
        self.people = self.table.people = people_at(self.state.seats, self.state.terms)
        for player in match.players:
            publish_on_commit(person_channel(player), {"type": "seated"})
        self.transfer = partial(settlement.stakes_take, match)

    def _settle(self) -> None:
        """Take in what follows from the end of a match: ratings, payouts, and its row."""
        if self.settled:
            return
        self.settled = True
        for event in tuple(self.events):
            if isinstance(event, ev.MatchEnded):
                self._settle_match(event)
            elif isinstance(event, ev.MatchVoided):
                self._refund_match(event)

    def _settle_match(self, ended: ev.MatchEnded) -> None:
        match = self._match_locked()
        result = result_of(self.state)
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
        match.games = [list(game) for game in result.games]
        self._close_match(match, ended.ending, payout.paid_cents, payout.rake_cents)

    def _refund_match(self, voided: ev.MatchVoided) -> None:
        match = self._match_locked()
        payout, refund = settlement.match_refund(match)
        if self.transfer is None:  # a match that was settled already is taken back otherwise
            self.transfer = refund
        match.winner_seat, match.points = None, 0
        self._close_match(match, voided.reason, payout.paid_cents, payout.rake_cents)

    def next_game_check(self) -> None:
        """Raise `StakeRefused` unless both may play another game from their banks."""
        assert self.state.match is not None, "a session is running"
        settlement.next_game_check(Match.objects.get(pk=self.state.match.id))

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
                "winner_seat", "points", "ending", "score", "games", "paid_cents", "rake_cents",
                "ended_at",
            ]
        )  # fmt: skip


def changes_store(changes: Iterable[TableChange]) -> int:
    """Write changes of locked tables that move no credits, in one statement; how many wrote."""
    planned = [(change, plan) for change in changes if (plan := change.planned()) is not None]
    assert all(change.transfer is None for change, _ in planned), "books are for one at a time"
    if planned:
        plans_write([plan for _, plan in planned])
    for change, plan in planned:
        change.written(plan)
    return len(planned)


def _match_create(table: Table, state: TableState, now_ms: int) -> Match:
    assert state.match is not None
    first_id, second_id = state.seats
    assert first_id is not None, "a match has two players"
    assert second_id is not None, "a match has two players"
    return Match.objects.create(
        id=state.match.id,
        table=table,
        number=state.match.number,
        mode=state.terms.mode,
        variant=state.terms.game_key,
        player_0_id=first_id,
        player_1_id=second_id,
        stake_cents=state.terms.stake_cents,
        terms=msgspec.to_builtins(state.terms),
        rated=state.match.rated,
        rated_games=state.match.rated_games,
        started_at=moment(now_ms),
    )


Tell = Callable[[UUID], None]

_tells: list[Tell] = []


def scores_follow(tell: Tell) -> None:
    """Call `tell` with the id of an arranged table after the commit of each end of a game there.

    Nothing may depend on it: an error in it is logged, and the game has ended all the same.
    """
    _tells.append(tell)


def score_tell_on_commit(table: Table, events: Iterable[ev.Event]) -> None:
    """Report the end of a game, if it is among the events and the table was arranged."""
    if table.arranged and any(isinstance(each, ev.GameEnded | ev.MatchEnded) for each in events):
        for tell in _tells:
            transaction.on_commit(partial(tell, table.pk), robust=True)
