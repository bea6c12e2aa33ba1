"""Operations on a table: open it, sit down, give a command, wake it up.

Every function is one transaction of its own and returns only after the commit.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games import settlement
from games.models import Deadline, Match, StandIn, StoredEvent, Table
from games.modes.registry import PRACTICE_KEYS, mode_of
from games.modes.terms import Terms
from games.offered import terms_open
from games.services.answers import SentCommand, answer_known, refusal_answer
from games.services.commit import TableChange, free_row_lock, locking, row_lock
from games.services.guests import guest_begin_check
from games.services.house_bots import hand
from games.services.outages import clock_may_end, clock_runs, outages_give
from games.services.people import account_check, guest_check, rematch_check
from games.services.plans import HandedOn
from games.services.seats import (
    GIVEN_UP,
    person_lock,
    seat_check,
    stand_up,
    successor_store,
    table_create,
)
from games.table import commands as cmd
from games.table.errors import (
    BadTerms,
    ClosedAlready,
    MatchBegun,
    TableError,
    TableFull,
    TimeOver,
    TooEarly,
)
from games.table.machine import due_ms
from games.table.state import GRACE_MS, TableState, seated

#: the letters of private tables: no vowels (no words), nothing that looks like something else.
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
CODE_LENGTH = 8

#: commands that mean the same whatever has happened meanwhile.
ANY_VIEW = cmd.Leave | cmd.Ready | cmd.Stop | cmd.Rematch | cmd.Claim | cmd.TakeBack

ATTENDANCE = ("player_absent", "player_back")


class Stale(TableError):
    """The command was given on an old view of the table."""

    code = "stale"
    sentence = _("The position had already changed. This is the current one.")


class OneOpenTable(TableError):
    """A player holds one open table at a time."""

    code = "one_open_table"
    sentence = _("You already have an open table. Play or close it first.")


class PracticeIsAlone(TableError):
    """Practice is against the house bot or alone: other people cannot sit at such a table."""

    code = "practice_is_alone"
    sentence = _("This is a practice table: it takes no other player.")


class NoSuchTable(TableError):
    """There is no table with this id."""

    code = "no_such_table"
    sentence = _("There is no such table.")


@dataclass(frozen=True, slots=True)
class CommandAnswer:
    """A command was carried out; `seq` is the last event that it caused.

    `dice_due_ms` is when the roll that it began waits no longer for the players' parts.
    """

    seq: int
    dice_due_ms: int | None = None


def table_open(
    *,
    user: User,
    mode: str,
    stake_cents: int = 0,
    clock: str = "normal",
    private: bool = False,
    watchers: bool | None = None,
    **wishes: object,
) -> Table:
    """Open a table and take its first seat. No credits move before an opponent sits down.

    `stake_cents` is the stake of a prize match or the base stake of free stakes; the other wishes
    are those of `games.modes.terms.Wishes`. A private table is not listed and has a code; it takes
    no `watchers` unless they are wished. Raises `BadTerms`, `StakeNotPossible` if the opener could
    not pay now, `OneOpenTable`, what `seat_check` and `guest_begin_check` do.
    """
    wishes["watchers"] = not private if watchers is None else watchers
    terms = terms_open(mode=mode, stake_cents=stake_cents, clock=clock, **wishes)
    if mode_of(terms).is_practice:
        raise BadTerms("practice is against the house bot or alone, never with another player")
    account_check(user.pk, terms)
    guest_begin_check(user, with_people=True)
    seat_check(user.pk)
    if settlement.balance_cents(user.pk) < terms.stake_cents:
        raise settlement.StakeNotPossible("your credits do not suffice for this stake", who="you")
    try:
        with transaction.atomic(durable=True):
            person_lock(user.pk)  # an account that is being closed opens no table unseen
            change = table_create(user.pk, terms, code=_code() if private else None)
            change.store()
            return change.table
    except IntegrityError as error:
        raise OneOpenTable("you have an open table already") from error


def _code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def table_join(*, user: User, table_id: UUID) -> Table:
    """Sit down at an open table: both stakes go into escrow and the match begins, or nothing.

    A table at which the guest waits is closed. A guest who has the second seat already gets
    the same table again, as the answer to the first try may have been lost. Raises `OwnTable`,
    `TableFull`, `StoodUpTooOften`, `FirstRollsAwaited`, `SamePerson`, `StrengthOutside`,
    `PracticeIsAlone`, `StakeNotPossible` (fields["who"]: "you" or "opponent"), and for a guest
    what `guest_begin_check` does.
    """
    if user.is_guest and not Table.objects.filter(pk=table_id, guest=user.pk).exists():
        guest_begin_check(user, with_people=True)
    with stakes_told(user.pk), transaction.atomic(durable=True):
        if Table.objects.filter(pk=table_id, mode__in=PRACTICE_KEYS).exists():
            raise PracticeIsAlone("this table is for practice, which takes no other player")
        return table_sit(user.pk, table_id)


def table_sit(user_id: int, table_id: UUID, *, agreed: bool = False) -> Table:
    """`table_join` inside the caller's transaction; raises `settlement.StakeRefused`.

    An opener who plays the house bot meanwhile must have `agreed` to this person.
    """
    person_lock(user_id)
    tables = tables_lock(Q(pk=table_id) | Q(opener=user_id, phase="open"))
    table = tables.pop(table_id, None)
    if table is None:
        raise NoSuchTable("there is no such table")
    change = TableChange.on(table)
    if change.state.seats[1] == user_id:
        return table
    if table.phase == "open" and table.opener_id != user_id:
        if not agreed and StandIn.objects.filter(table=table).exists():
            raise TableFull("its opener plays the house bot meanwhile and is asked first")
        seat_check(user_id)
        guest_check(table, user_id, change.state.terms)
    for own in tables.values():
        table_shut(own)
    change.give(cmd.Sit(player=user_id, match=str(uuid4())))
    change.store()
    return table


def table_shut(table: Table) -> None:
    """Close a locked open table, inside the caller's transaction."""
    change = TableChange.on(table)
    change.give(cmd.StandUp(), seat=0)
    change.store()


def tables_lock(which: Q) -> dict[UUID, Table]:
    """These tables by id, locked in the order of their ids. Raises `Busy`."""
    with locking("table"):
        rows = Table.objects.select_for_update(no_key=True).filter(which).order_by("pk")
        return {table.pk: table for table in rows}


@contextmanager
def stakes_told(user_id: int) -> Iterator[None]:
    """Say whose credits it was when stakes cannot go into escrow. Raises `StakeNotPossible`."""
    try:
        yield
    except settlement.StakeRefused as error:
        who = "you" if error.user_id == user_id else "opponent"
        raise settlement.StakeNotPossible(str(error), who=who, reason=error.code) from error


def table_close(*, user: User, table_id: UUID) -> None:
    """Close an open table of one's own. Raises `NotSeated`, `MatchBegun` once a match has begun."""
    with transaction.atomic(durable=True):
        table = table_locked(table_id)
        change = TableChange.on(table)
        if change.state.phase not in ("open", "over", "closed"):
            raise MatchBegun("the match has begun")
        if change.state.phase == "closed":
            raise ClosedAlready("the table is closed")
        change.give(cmd.StandUp(), change.state.seat_of(user.pk))
        change.store()


def table_command(
    *,
    table_id: UUID,
    user_id: int,
    command_id: str,
    seen_seq: int,
    command: cmd.PlayerCommand,
    now_ms: int | None = None,
    decided: HandedOn | None = None,
) -> CommandAnswer:
    """Carry out a player's command once, however often it is sent.

    `now_ms` is the database's time unless given. `decided` is what the fast lane has decided; it
    counts if nothing has happened at the table since. Raises `Stale` and every `TableError` of the
    machine; then nothing has changed, and the same id is refused in the same way from now on
    (`games.services.answers` has the exceptions).
    """
    sent = SentCommand(table_id, user_id, command_id, seen_seq)
    try:
        return _command_once(sent, command, now_ms, decided)
    except TableError as error:
        return CommandAnswer(seq=refusal_answer(error, sent, table_locked))


def _command_once(
    sent: SentCommand, command: cmd.PlayerCommand, now_ms: int | None, decided: HandedOn | None
) -> CommandAnswer:
    user_id = sent.user_id
    with stakes_told(user_id), transaction.atomic(durable=True):
        table = table_locked(sent.table_id)
        seq = answer_known(sent)
        if seq is not None:
            return CommandAnswer(seq=seq)
        change = TableChange.on(table, now_ms)
        seat = hand(change.state, user_id, command)
        seated(seat)  # nothing is remembered of others
        granted = _comes_true_by_waiting(change.state, command, user_id)
        # dice on their way are no player's time limit: the wake-up or an answer brings them
        late = change.state.phase != "rolling" and _wake_if_due(change, by_player=True)
        successor = None
        if not late:
            _check_seen(change, command, sent.seen_seq)
            if isinstance(command, cmd.Rematch):
                rematch_check(user_id, change.state.seats, change.state.terms)
            elif isinstance(command, cmd.Ready) and change.state.may_stop:
                change.next_game_check()
            if isinstance(command, cmd.StandUp | cmd.Leave):
                successor = stand_up(change, seat)
            if decided is not None and decided.version == table.version:
                change.take_over(decided)
            elif successor is None:
                change.give(_as_given(change, command, user_id, seat), seat)
            _check_absence_counts(change, command)
        if successor is not None:
            successor_store(change, successor)
        done = granted or not late
        change.store(user_id=user_id, command_id=sent.command_id if done else None)
    if late and not granted:
        raise TimeOver("a time limit passed before the command came")
    return CommandAnswer(seq=change.state.seq, dice_due_ms=change.dice_due_ms)


def _check_absence_counts(change: TableChange, command: cmd.PlayerCommand) -> None:
    """Refuse a claim while an outage is not credited back: no player is absent during one."""
    if not isinstance(command, cmd.Claim):
        return
    if not clock_runs(change.table, change.state, change.now_ms):
        claim_ms = change.now_ms + GRACE_MS
        raise TooEarly("your opponent has time to come back after an outage", claim_ms=claim_ms)


def _as_given(
    change: TableChange, command: cmd.PlayerCommand, user_id: int, seat: int | None
) -> cmd.PlayerCommand:
    """The command for this seat; a person who rolls for the other side adds their own part."""
    own = change.state.seat_of(user_id)
    if own is None or own == seat or not isinstance(command, cmd.Roll):
        return command
    if command.element:
        change.dice.take(change.state, own, command.element)
    return cmd.Roll()


def _comes_true_by_waiting(state: TableState, command: cmd.PlayerCommand, user_id: int) -> bool:
    """Whether a wake-up has the effect of the command.

    The game that a player is ready for begins; the session that a player stops ends.
    """
    waits = state.phase == "between_games" and state.seat_of(user_id) is not None
    wanted = cmd.Stop | cmd.Leave if state.may_stop else cmd.Ready
    return waits and isinstance(command, wanted)


def table_wake(table_id: UUID, *, now_ms: int | None = None) -> bool:
    """Let a table act on a time limit that has passed; False if none has, or it is being used."""
    with transaction.atomic(durable=True):
        table = free_row_lock(Table, table_id)
        if table is None:
            return False
        change = TableChange.on(table, now_ms)
        if not _wake_if_due(change):
            return False
        change.store()
        return True


def tables_due() -> QuerySet[Deadline]:
    """The deadlines that have passed, the oldest first."""
    return Deadline.objects.filter(due_at__lte=Now()).order_by("due_at")


def _wake_if_due(change: TableChange, *, by_player: bool = False) -> bool:
    due = due_ms(change.state)
    if due is None or change.now_ms < due:
        return False
    if change.state.phase == "rolling":
        return change.dice_fall_if_ready()
    if change.state.decider is not None and not _may_end(change, due, by_player=by_player):
        return False  # an outage is credited back first: no player loses by it
    change.give(cmd.WakeUp())
    return True


def _may_end(change: TableChange, due: int, *, by_player: bool) -> bool:
    """Whether the time limit that has passed counts; a player's table gets its time back here."""
    if not by_player:
        return clock_may_end(change.table, change.state, due, change.now_ms)
    outages_give(change)  # or their move would take the outage out of their reserve
    later = due_ms(change.state)
    # that a player's command came shows that web servers are there
    return later == due and clock_runs(change.table, change.state, change.now_ms)


def _check_seen(change: TableChange, command: cmd.PlayerCommand, seen_seq: int) -> None:
    """Refuse a command given on an old view, except those that mean the same on any view.

    A change of presence makes no view stale. In a session leaving costs nothing between two games,
    so it is refused to those who have not seen that another one began.
    """
    table = change.table
    if seen_seq == table.seq:
        return
    missed = table.events.filter(seq__gt=seen_seq).exclude(type__in=ATTENDANCE)
    if change.state.is_session and isinstance(command, cmd.Leave):
        missed = missed.filter(type="game_started")
    elif isinstance(command, ANY_VIEW):
        return
    if seen_seq > table.seq or missed.exists():
        raise Stale(f"the table is at {table.seq}, you saw {seen_seq}")


def table_locked(table_id: UUID) -> Table:
    """The table, locked until the transaction ends. Raises `NoSuchTable`, `Busy`."""
    return row_lock(Table, table_id, NoSuchTable)


def table_arrange(players: tuple[int, int], terms: Terms) -> tuple[Table, str]:
    """Seat both players, inside the caller's transaction; the table and the id of its match.

    Tables at which one of the two waits are closed. Raises `Busy`, and what `account_check` does.
    """
    for waiting in tables_lock(Q(opener__in=players, phase="open")).values():
        table_shut(waiting)
    change = table_create(players[0], terms, arranged=True)
    match_id = str(uuid4())
    change.give(cmd.Sit(player=players[1], match=match_id))
    change.store()
    return change.table, match_id


def seat_given_up(match: Match) -> int | None:
    """The seat that stood up, or ran out of time, before the first roll; None without one."""
    if match.ending != "stood_up":
        return None
    last = (
        StoredEvent.objects.filter(table=match.table_id, type__in=GIVEN_UP).order_by("seq").last()
    )
    return None if last is None else int(last.payload["seat"])
