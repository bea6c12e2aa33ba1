"""Figures of the house from the database, read for each request: play, stakes, sweep, desk, queues.

Each reading is cheap in a house of any size: it looks at what is running or waiting, by an index,
and never at all that ever was.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from django.db import DatabaseError, connection
from django.db.models import Count, Min, QuerySet, Sum
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.registry import Collector

from accounts.models import OutgoingMail
from analysis.queue import waiting as jobs_waiting
from fairplay.desk.queue import cases_waiting
from fairplay.models import Case
from games.kinds import Credits, kinds
from games.models import Deadline, WordsReport
from games.services.outages import beats, outages_waiting, tables_waiting_count
from kit.sweeps import Stuck
from ledger.models import Proposal
from ledger.selectors_desk import (
    audit_latest,
    audit_latest_in_turns,
    audit_latest_recent,
    proposal_waits,
)
from ledger.selectors_desk import payouts_waiting as payouts
from pasch.observability.parts import database_answers

logger = logging.getLogger(__name__)


class HouseFigures(Collector):
    """Every figure of the house; none while the database does not answer."""

    def describe(self) -> Iterator[Gauge]:
        """Nothing is read when this is registered."""
        return iter(())

    def collect(self) -> Iterator[Gauge]:
        """Every figure."""
        if not database_answers():
            return
        try:
            for read in READINGS:
                yield from read()
        except DatabaseError as error:
            logger.warning("figures of the house are missing: %s", error)


def _tables() -> Iterator[Gauge]:
    for kind in kinds():
        for name, about, label, values in kind.figures():
            gauge = Gauge(name, about, labels=[label] if label else [])
            for value, number in values.items():
                gauge.add_metric([value] if label else [], number)
            yield gauge


PLAYERS: Final = """
    SELECT count(DISTINCT player) FROM games_match m
    CROSS JOIN LATERAL (VALUES (m.player_0_id), (m.player_1_id)) AS seat (player)
    JOIN accounts_user u ON u.id = player AND NOT u.is_bot
    WHERE m.ended_at IS NULL
"""


def _players() -> Iterator[Gauge]:
    ((players,),) = _rows(PLAYERS)
    yield Gauge("pasch_players", "People with a match that is being played.", value=players)


def _escrow() -> Iterator[Gauge]:
    """The stakes of what is running, and escrows that hold something else than they should."""
    held = Gauge("pasch_escrow_cents", "Stakes in escrow, by what they are for.", labels=["of"])
    wrong = Gauge("pasch_escrow_wrong", "Escrows that hold another sum.", labels=["of"])
    found = {of: (cents, number) for of, cents, number in _rows(_escrows())}
    for each in _credits():
        cents, number = found.get(each.escrow_name, (0, 0))
        held.add_metric([each.escrow_name], cents)
        wrong.add_metric([each.escrow_name], number)
    yield from (held, wrong)


def _credits() -> list[Credits]:
    return [kind.credits for kind in kinds() if kind.credits]


def _escrows() -> str:
    return f"""
        SELECT name, coalesce(sum(holds) FILTER (WHERE running), 0)::bigint,
            count(*) FILTER (WHERE coalesce(holds, 0) <> expected)
        FROM ({" UNION ALL ".join(each.escrows for each in _credits())})
            escrow (name, running, holds, expected)
        GROUP BY name
    """


def _sweep() -> Iterator[Gauge]:
    due = Deadline.objects.order_by("due_at").values_list("due_at", flat=True).first()
    yield Gauge(
        "pasch_sweep_delay_seconds",
        "How long the oldest due deadline has waited for the sweep.",
        value=_age(due),
    )
    ages = Gauge(
        "pasch_heartbeat_age_seconds",
        "How long ago a part of the house (web, sweep) was last alive.",
        labels=["role"],
    )
    for role, at in beats().order_by("role").values_list("role", "beat_at"):
        ages.add_metric([role], _age(at))
    yield ages
    open_outages = outages_waiting().count()
    yield Gauge("pasch_outages_open", "Outages not given back yet.", value=open_outages)
    yield Gauge(
        "pasch_outage_tables_waiting",
        "Running tables that wait for the time of an outage.",
        value=tables_waiting_count(),
    )


def _audits() -> Iterator[Gauge]:
    findings = Gauge("pasch_audit_findings", "What the last audit found.", labels=["audit"])
    age = Gauge("pasch_audit_age_seconds", "Since when the last audit is done.", labels=["audit"])
    last = {
        "whole": audit_latest(),
        "in_turns": audit_latest_in_turns(),
        "recent": audit_latest_recent(),
    }
    for name, run in last.items():
        if run is not None:
            findings.add_metric([name], run.finding_count)
            age.add_metric([name], _age(run.started_at))
    yield from (findings, age)


def _desk() -> Iterator[Gauge]:
    waits = Gauge("pasch_desk_waiting", "What waits for an administrator.", labels=["what"])
    age = Gauge("pasch_desk_waiting_seconds", "Since when the oldest waits.", labels=["what"])
    waiting: dict[str, tuple[QuerySet[Any], str]] = {
        "payouts": (payouts(), "not_before"),  # a large one cannot be paid before
        "proposals": (Proposal.objects.filter(proposal_waits()), "proposed_at"),
        "reports": (WordsReport.objects.filter(outcome=""), "made_at"),
        "cases": (cases_waiting(Case.objects.all()), "opened_at"),
    }
    for what, (rows, since) in waiting.items():
        number, oldest = _queue(rows, since)
        waits.add_metric([what], number)
        age.add_metric([what], oldest)
    yield from (waits, age)
    open_cents = payouts().aggregate(cents=Sum("amount_cents"))["cents"]
    yield Gauge("pasch_payouts_open_cents", "Payouts that are not closed.", value=open_cents or 0)


def _queues() -> Iterator[Gauge]:
    length = Gauge("pasch_queue_length", "What waits for a process.", labels=["queue"])
    age = Gauge("pasch_queue_seconds", "How long the oldest has waited.", labels=["queue"])
    waiting: dict[str, tuple[QuerySet[Any], str]] = {
        **{depth: (jobs_waiting().filter(depth=depth), "queued_at") for depth in ("quick", "full")},
        "mails": (OutgoingMail.objects.filter(sent_at=None), "created_at"),
    }
    for name, (rows, since) in waiting.items():
        number, oldest = _queue(rows, since)
        length.add_metric([name], number)
        age.add_metric([name], oldest)
    yield from (length, age)


def _queue(rows: QuerySet[Any], since: str) -> tuple[int, float]:
    """How many rows wait, and for how many seconds the oldest has."""
    found = rows.order_by().aggregate(number=Count("pk"), oldest=Min(since))
    return found["number"], _age(found["oldest"])


def _stuck() -> Iterator[Gauge]:
    number, oldest = _queue(Stuck.objects.all(), "since")
    yield Gauge("pasch_sweep_stuck", "Items that sweeps go round.", value=number)
    yield Gauge("pasch_sweep_stuck_seconds", "Since when the oldest is stuck.", value=oldest)


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def _age(at: datetime | None) -> float:
    """Seconds since then; 0 for a time to come, and for none."""
    return max(0.0, (timezone.now() - at).total_seconds()) if at else 0.0


READINGS: Final[tuple[Callable[[], Iterator[Gauge]], ...]] = (
    _tables,
    _players,
    _escrow,
    _sweep,
    _audits,
    _desk,
    _queues,
    _stuck,
)
