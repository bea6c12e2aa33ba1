"""The toss as a kind of table: what the site has to know about it."""

from collections.abc import Iterator
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from games.kinds import RunningFigure, TableKind
from kit.personal_data import PersonalData, part_of
from ledger.audit import AuditFinding, AuditMark
from ledger.audit_rows import OVERLAP, RowCheck
from tests.architecture.heads.models import Toss
from tests.architecture.heads.services import (
    JOURNAL,
    TossCase,
    toss_move_on,
    tosses_due,
    tosses_leave,
)


def _recent(mark: AuditMark) -> Q:
    since = mark.moment - OVERLAP
    return Q(created_at__gte=since) | Q(ended_at__gte=since)


def _faults(tosses: QuerySet[Toss]) -> Iterator[AuditFinding]:
    for toss, fault in JOURNAL.faults(tosses):
        yield AuditFinding(f"heads:{toss.pk}", fault)


def _figures() -> Iterator[RunningFigure]:
    running = {"": Toss.objects.filter(ended_at=None).count()}
    yield RunningFigure("pasch_tosses_running", "Coins in the air.", "", running)


KIND: Final = TableKind(
    key="heads",
    subject=gettext_noop("Toss %(id)s"),
    subject_page="",
    checks=(
        RowCheck(
            code="Z1",
            title=gettext_noop("Every toss follows from its journal"),
            rows=Toss.objects.all,
            recent=_recent,
            faults=_faults,
            prefix="heads:",
        ),
    ),
    holds=lambda user_id: Toss.objects.filter(player=user_id, ended_at=None).exists(),
    holds_words=gettext_noop("Your coin is in the air. Wait until it lands."),
    holds_page="lobby",
    holds_at_desk=gettext_noop("waits for a coin"),
    personal_data=PersonalData(
        parts=(part_of("tosses", Toss, by=("player",), columns="id created_at ended_at"),),
        kept={"heads.Toss.player": "a result stays for the others"},
    ),
    figures=_figures,
    credits=None,
    void=TossCase,
    still_open=lambda: Toss.objects.filter(ended_at=None),
    due=tosses_due,
    move_on=toss_move_on,
    waiting=lambda: Toss.objects.filter(ended_at=None).values_list("player", flat=True),
    leave=tosses_leave,
)
