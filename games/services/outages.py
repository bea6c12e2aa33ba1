"""Outages of the house: detected by missing heartbeats, with the time given back to all players.

The sweep and every web server record heartbeats. A gap between two heartbeats of a role is an
outage: players could not play, or no sweep watched the clocks. Until the time has been given back,
no player loses by time or absence; and as the first seconds of a gap may be the start of an outage,
the sweep ends no clock before a web server has recorded a heartbeat after its last moment. So no
player ever loses by an outage.
"""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Heartbeat, Outage, Table
from games.services.commit import Change, table_lock
from games.services.moments import database_now_ms, moment
from games.table import commands as cmd
from games.table.state import RUNNING_PHASES

SWEEP: Final = "sweep"
WEB: Final = "web"

#: not a part that must be alive: when a web process last had no Valkey.
WITHOUT_VALKEY: Final = "deaf"

#: how often a role records a heartbeat, and how long it may be silent.
BEAT_SECONDS: Final = 1.0
SILENCE: Final = timedelta(seconds=10)

#: longer than an entry of presence lasts (`games.live.presence`), and it is renewed by then.
PRESENCE_UNKNOWN: Final = timedelta(seconds=60)


def heartbeat(role: str, *, now_ms: int | None = None) -> Outage | None:
    """Write down that `role` is alive; a silence that has just ended is kept as an outage."""
    with transaction.atomic(durable=True):
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
        return Outage.objects.create(role=role, began_at=last, ended_at=now)


def beats() -> QuerySet[Heartbeat]:
    """The heartbeats of the roles that must be alive."""
    return Heartbeat.objects.exclude(role=WITHOUT_VALKEY)


def without_valkey_note() -> None:
    """Write down that a web process has no Valkey now, so that it renews nobody's presence."""
    now = moment(database_now_ms())
    Heartbeat.objects.update_or_create(role=WITHOUT_VALKEY, defaults={"beat_at": now})


def presence_is_known() -> bool:
    """Whether every web process has had Valkey for so long that nobody's presence ended by it."""
    since = moment(database_now_ms()) - PRESENCE_UNKNOWN
    return not Heartbeat.objects.filter(role=WITHOUT_VALKEY, beat_at__gt=since).exists()


def house_is_well(now_ms: int) -> bool:
    """Whether every role is alive and no outage waits to be given back."""
    silent_since = moment(now_ms) - SILENCE
    silent = beats().filter(beat_at__lt=silent_since)
    return not silent.exists() and not Outage.objects.filter(credited_at=None).exists()


def clock_may_end(due_ms: int, now_ms: int) -> bool:
    """Whether the player whose time ended at `due_ms` could have used all of it."""
    silent_before = Heartbeat.objects.filter(role=WEB, beat_at__lt=moment(due_ms))
    return house_is_well(now_ms) and not silent_before.exists()


def outages_credit() -> int:
    """Give every outage that waits for it back to the tables that were playing; how many tables.

    Each table takes in each outage once, so a crash in the middle of this is harmless.
    """
    tables = 0
    for outage in Outage.objects.filter(credited_at=None).order_by("began_at"):
        command = cmd.CreditOutage(began_ms=_ms(outage.began_at), ended_ms=_ms(outage.ended_at))
        running = Q(phase__in=RUNNING_PHASES, created_at__lt=outage.ended_at)
        for table_id in Table.objects.filter(running).values_list("pk", flat=True):
            tables += _credit(table_id, command)
        outage.credited_at = moment(database_now_ms())
        outage.save(update_fields=["credited_at"])
    return tables


def _credit(table_id: UUID, command: cmd.CreditOutage) -> bool:
    with transaction.atomic(durable=True):
        table = table_lock(table_id)
        change = Change.on(table)
        change.give(command)
        return change.store()


def _ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)
