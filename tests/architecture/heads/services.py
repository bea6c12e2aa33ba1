"""Tosses: calling a side, the coin, and a decision of administrators."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from accounts.models import User
from games.services.administration import Decidable, Effect
from games.services.commit import free_row_lock, row_lock
from games.services.outages import counts_since
from games.table.errors import TableError
from kit.database import database_now_ms, moment
from kit.journal import Journal
from tests.architecture.heads.engine import AnyToss, Called, Landed, TossState, TossVoided, evolve
from tests.architecture.heads.models import Toss, TossEvent

FLIGHT: Final = timedelta(seconds=10)

JOURNAL: Final = Journal[Toss, TossState](
    events=TossEvent,
    owner="toss",
    event=AnyToss,
    state=TossState,
    begin=lambda _toss: TossState(),
    evolve=evolve,
)


@transaction.atomic
def toss_begin(*, user: User, heads: bool) -> Toss:
    """Call a side."""
    toss = Toss.objects.create(player=user, state=JOURNAL.plain(TossState()))
    _store(toss, Called(at_ms=database_now_ms(), player=user.pk, heads=heads))
    return toss


@transaction.atomic
def toss_land(*, toss_id: UUID, heads: bool) -> Toss:
    """Let the coin land."""
    toss = row_lock(Toss, toss_id, TableError)
    _store(toss, Landed(at_ms=database_now_ms(), heads=heads))
    return toss


class TossCase(Decidable):
    """A toss that is voided: there is nothing to pay back."""

    stake_cents = 0

    def __init__(self, toss_id: UUID, lock: bool = False) -> None:
        self.toss = row_lock(Toss, toss_id, TableError) if lock else Toss.objects.get(pk=toss_id)
        self.players = self.people = (self.toss.player_id,)
        self.reference = f"heads:{toss_id}"

    def effect(self) -> Effect:
        """The toss ends, and nobody gets anything."""
        return Effect(verb="heads.void", paid_cents={}, before={"ending": ""})

    def carry_out(
        self, _actor: User, _reason: str, _proposer: User | None
    ) -> tuple[Mapping[str, Any], None]:
        """End the toss for nothing."""
        _store(self.toss, TossVoided(at_ms=database_now_ms()))
        return {"ending": "voided"}, None


def tosses_due() -> QuerySet[Toss]:
    """The coins that have been in the air for too long."""
    return Toss.objects.filter(ended_at=None, created_at__lte=Now() - FLIGHT)


@transaction.atomic
def toss_move_on(toss_id: UUID) -> bool:
    """End a toss whose coin is lost."""
    toss, now_ms = free_row_lock(Toss, toss_id), database_now_ms()
    if toss is None or toss.ended_at is not None:
        return False
    counts = counts_since(toss.created_at, now_ms)
    if counts is None or moment(now_ms) - counts < FLIGHT:
        return False
    _store(toss, TossVoided(at_ms=now_ms))
    return True


def tosses_leave(gone: Collection[int]) -> int:
    """End the tosses of people who have gone."""
    return sum(map(_ended, Toss.objects.filter(ended_at=None, player__in=gone)))


@transaction.atomic
def _ended(toss: Toss) -> bool:
    _store(row_lock(Toss, toss.pk, TableError), TossVoided(at_ms=database_now_ms()))
    return True


def _store(toss: Toss, *events: AnyToss) -> None:
    state = JOURNAL.stored(toss)
    for event in events:
        state = evolve(state, event)
    JOURNAL.append(toss, events, state)
    toss.ended_at = moment(events[-1].at_ms) if state.over else None
    toss.save()
