"""Outages of the house: detected by missing heartbeats, with the time given back to all players.

The sweep and every web server record heartbeats, each after a trial of what a command needs
(`games.services.trials`). A gap between two heartbeats of a role is an outage: players could not
play, or no sweep watched the clocks. While a web process says that commands fail, nothing sweeps,
so that this is a gap as well. Until a table has that time back,
no player loses by time or absence there; and as the first seconds of a gap may be the start of an
outage, the sweep ends no clock before a web server has recorded a heartbeat after its last moment.
So no player ever loses by an outage. Copies of the database note their last time in the same way.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Now

from games.models import Heartbeat, Outage, Table
from games.services.commit import TableChange, changes_store
from games.services.trials import some_are_cut_off, try_what_commands_need
from games.table import commands as cmd
from games.table.state import RUNNING_PHASES, TableState
from kit.database import database_now_ms, moment

SWEEP: Final = "sweep"
WEB: Final = "web"

#: not a part that must be alive: when a web process last had no Valkey.
WITHOUT_VALKEY: Final = "deaf"

#: not a part that must be alive: when a web process last said that commands fail there.
FAILING: Final = "failing"

#: how often a web process records a heartbeat, and how long a role may be silent.
BEAT_SECONDS: Final = 1.0
SILENCE: Final = timedelta(seconds=10)

#: how old the sweep's heartbeat may be before it is woken for the next one, if for nothing else.
SWEEP_BEATS_EVERY: Final = timedelta(seconds=4)

#: so long it counts that commands failed; a web process says it every second.
FAILING_FOR: Final = timedelta(seconds=5)

#: so long one call of `outages_credit` takes; a sweep that took longer would be silent itself.
CREDIT_SECONDS: Final = 2.0

#: so many tables get their time back in one transaction.
CREDIT_BATCH: Final = 50

#: longer than an entry of presence lasts (`games.live.presence`), and it is renewed by then.
PRESENCE_UNKNOWN: Final = timedelta(seconds=60)

_log = logging.getLogger("games.outages")


def heartbeat(role: str, *, now_ms: int | None = None) -> Outage | None:
    """Write down that `role` is alive; the database keeps a silence that has just ended.

    Return that outage (`games/migrations/sql/guards.sql`). Raises Django's `Error` where a command
    would fail.
    """
    with transaction.atomic(durable=True):
        try_what_commands_need()
        now = moment(database_now_ms() if now_ms is None else now_ms)
        row, new = Heartbeat.objects.select_for_update(no_key=True).get_or_create(
            role=role, defaults={"beat_at": now}
        )
        if new or now <= row.beat_at:
            return None
        last, row.beat_at = row.beat_at, now
        row.save(update_fields=["beat_at"])
        if now - last <= SILENCE:
            return None
        return Outage.objects.get(role=role, began_at=last)


def sweep_is_due() -> bool:
    """Whether an outage is to be given back, or a heartbeat is due."""
    since = moment(database_now_ms()) - SWEEP_BEATS_EVERY
    beaten = Heartbeat.objects.filter(role=SWEEP, beat_at__gt=since)
    return not beaten.exists() or outages_waiting().exists()


def beats() -> QuerySet[Heartbeat]:
    """The heartbeats of the roles that must be alive."""
    return Heartbeat.objects.filter(role__in=(WEB, SWEEP))


def without_valkey_note() -> None:
    """Write down that a web process has no Valkey now, so that it renews nobody's presence."""
    _note(WITHOUT_VALKEY)


def failing_note() -> None:
    """Write down that commands fail in a web process, although its heartbeat might succeed."""
    _note(FAILING)


def commands_fail(now_ms: int) -> bool:
    """Return True if a web process has said within the last seconds that commands fail there."""
    since = moment(now_ms) - FAILING_FOR
    return Heartbeat.objects.filter(role=FAILING, beat_at__gt=since).exists()


def players_are_served() -> bool:
    """Return True if no web process says that commands fail there, or that it is cut off."""
    return not some_are_cut_off() and not commands_fail(database_now_ms())


def _note(role: str) -> None:
    now = moment(database_now_ms())
    Heartbeat.objects.update_or_create(role=role, defaults={"beat_at": now})


def presence_is_known() -> bool:
    """Whether every web process has had Valkey for so long that nobody's presence ended by it."""
    since = moment(database_now_ms()) - PRESENCE_UNKNOWN
    return not Heartbeat.objects.filter(role=WITHOUT_VALKEY, beat_at__gt=since).exists()


def house_is_well(now_ms: int) -> bool:
    """Whether every role is alive and no outage waits to be given back."""
    return _all_alive(now_ms) and not outages_waiting().exists()


def counts_since(began: datetime, now_ms: int) -> datetime | None:
    """From when time counts that began at this moment; None while no time counts at all.

    During an outage of the house none does, and after one it begins anew.
    """
    if not house_is_well(now_ms):
        return None
    later = Outage.objects.filter(ended_at__gt=began).aggregate(last=Max("ended_at"))
    return later["last"] or began


def outages_waiting() -> QuerySet[Outage]:
    """The outages whose time not every table has back, in the order in which they began."""
    return Outage.objects.filter(credited_at=None).order_by("began_at")


def tables_waiting(outage: Outage) -> QuerySet[Table]:
    """The running tables that have not taken in this outage; whose time ends first comes first.

    A match that is being played has a deadline, so only tables with one are read, and none is
    locked.
    """
    running = Table.objects.filter(
        deadline__isnull=False, phase__in=RUNNING_PHASES, created_at__lt=outage.ended_at
    )
    until = "state__credited_until_ms"
    none_yet = Q(**{f"{until}__isnull": True}) | Q(**{f"{until}__lt": _ms(outage.ended_at)})
    return running.filter(none_yet).order_by("deadline__due_at")


def tables_waiting_count() -> int:
    """The running tables that wait for the time of the outage for which most do."""
    return max((tables_waiting(outage).count() for outage in outages_waiting()), default=0)


def clock_runs(table: Table, state: TableState, now_ms: int) -> bool:
    """Whether every role is alive and this table has the time of every outage back."""
    return _all_alive(now_ms) and not _owed(table, state, outages_waiting())


def clock_may_end(table: Table, state: TableState, due_ms: int, now_ms: int) -> bool:
    """Whether the player whose time ended at `due_ms` could have used all of it."""
    silent_before = Heartbeat.objects.filter(role=WEB, beat_at__lt=moment(due_ms))
    return clock_runs(table, state, now_ms) and not silent_before.exists()


def outages_give(change: TableChange) -> None:
    """Give the outages that wait back to this table, in the caller's transaction."""
    for command in _owed(change.table, change.state, outages_waiting()):
        change.give(command)


def outages_credit() -> int:
    """Give outages that wait for it back to the tables that were playing; how many tables.

    One call takes `CREDIT_SECONDS` and a batch at most, and the next one goes on with the tables
    that are left. An outage is over when none is left. Each table takes in each outage once, so a
    crash in the middle of this is harmless, and so are two calls at once: a table that another
    transaction holds is left for later.
    """
    until, tables = time.monotonic() + CREDIT_SECONDS, 0
    for outage in outages_waiting():
        left = list(tables_waiting(outage).values_list("pk", flat=True))
        for begin in range(0, len(left), CREDIT_BATCH):
            if begin and time.monotonic() >= until:
                return tables
            tables += _credit(left[begin : begin + CREDIT_BATCH])
        if left and tables_waiting(outage).exists():
            return tables
        if not _close(outage):
            return tables
    return tables


def _close(outage: Outage) -> bool:
    """Note that an outage is over; False if the database knows a table that lacks its time."""
    try:
        with transaction.atomic():
            Outage.objects.filter(pk=outage.pk, credited_at=None).update(credited_at=Now())
    except IntegrityError:  # a table has begun to play since it was last looked
        return False
    return True


def _credit(table_ids: Sequence[UUID]) -> int:
    """Give every outage that waits back to these tables; how many tables.

    Where that fails it is tried with each of them alone, and an error of the log names those that
    have to be looked at. They wait, the others do not.
    """
    try:
        return _credit_at_once(table_ids)
    except Exception:
        if len(table_ids) == 1:
            _log.exception("The time of an outage was not given back to table %s", table_ids[0])
            return 0
    return sum(_credit([table_id]) for table_id in table_ids)


def _credit_at_once(table_ids: Sequence[UUID]) -> int:
    with transaction.atomic(durable=True):
        outages, now_ms = list(outages_waiting()), database_now_ms()
        free = Table.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
        tables = free.filter(pk__in=table_ids).order_by("pk")
        changes = [TableChange.on(table, now_ms) for table in tables]
        for change in changes:
            for command in _owed(change.table, change.state, outages):
                change.give(command)
        return changes_store(changes)


def _owed(table: Table, state: TableState, outages: Iterable[Outage]) -> list[cmd.CreditOutage]:
    """Which of these outages the table has not taken in, although it was there."""
    return [
        cmd.CreditOutage(began_ms=_ms(outage.began_at), ended_ms=_ms(outage.ended_at))
        for outage in outages
        if table.created_at < outage.ended_at and _ms(outage.ended_at) > state.credited_until_ms
    ]


def _all_alive(now_ms: int) -> bool:
    silent = beats().filter(beat_at__lt=moment(now_ms) - SILENCE)
    return not commands_fail(now_ms) and not silent.exists()


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


COPY: Final = "copy"
OFFSITE: Final = "offsite"


def copy_note() -> None:
    """Write down that a copy was just made."""
    now = moment(database_now_ms())
    Heartbeat.objects.update_or_create(role=COPY, defaults={"beat_at": now})


def copied_at(role: str) -> datetime | None:
    """The time of the last copy (`COPY`, `OFFSITE`); None if none was ever noted."""
    return Heartbeat.objects.filter(role=role).values_list("beat_at", flat=True).first()


def copies_noted() -> dict[str, datetime]:
    """The time of the last copy by role, of those that were ever noted."""
    rows = Heartbeat.objects.filter(role__in=(COPY, OFFSITE))
    return dict(rows.values_list("role", "beat_at"))
