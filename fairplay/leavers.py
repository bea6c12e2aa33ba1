"""Conduct at tables: who left, ran out of time or did not come back; and what follows.

A match that ended while a part of the house was down, or that was voided, is nobody's fault. For
standing up before the first roll the lobby has a pause of its own (`games/services/seats.py`).
"""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from fairplay.ladder import WINDOW, LeaverRecord, record_of
from fairplay.models import Conduct, Pause
from games.models import Match, Outage
from games.selectors import between_people
from games.services.bars import LEAVER, bar_place
from kit.sweeps import go_round, stuck_items

FAULTS: Final = ("left", "time_over", "absent")
"""Endings that are the loser's fault."""

OUTAGE_NEAR: Final = timedelta(minutes=10)
"""A match that ended within this time of an outage is nobody's fault."""

LOOKS_BACK: Final = timedelta(days=2)
AT_ONCE: Final = 200
SWEEP: Final = "conduct"


def conduct_note_ended() -> int:
    """Note how matches between people have ended; return how many were noted."""
    found = _unnoted().order_by("ended_at", "pk")[:AT_ONCE]
    return go_round(SWEEP, list(found), _note)


def conduct_is_due() -> bool:
    """Whether a match has ended whose conduct is not noted yet."""
    return _unnoted().exists()


def _unnoted() -> QuerySet[Match]:
    noted = Conduct.objects.filter(match=OuterRef("pk"))
    return (
        Match.objects.filter(
            ~Q(Exists(noted)), between_people(), ended_at__gte=timezone.now() - LOOKS_BACK
        )
        .exclude(ending="voided")
        .exclude(pk__in=stuck_items(SWEEP))
    )


@transaction.atomic
def _note(match: Match) -> int:
    """Write both players' conduct, and the pause that a fault leads to; once a match."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=match.players).order_by("pk"))
    fault, guilty = _fault_of(match)
    assert match.ended_at is not None
    for user_id in match.players:
        row, new = Conduct.objects.get_or_create(
            user_id=user_id,
            match=match,
            defaults={"fault": fault if user_id == guilty else "", "at": match.ended_at},
        )
        if new and row.fault:
            _pause(user_id)
    return 1


def _fault_of(match: Match) -> tuple[str, int | None]:
    """The fault by which a match ended and whose it is; ("", None) if it is nobody's."""
    if _house_was_down(match):
        return "", None
    if match.ending in FAULTS and match.winner_seat is not None:
        return match.ending, match.players[1 - match.winner_seat]
    return "", None


def _house_was_down(match: Match) -> bool:
    assert match.ended_at is not None
    return Outage.objects.filter(
        began_at__lte=match.ended_at + OUTAGE_NEAR, ended_at__gte=match.ended_at - OUTAGE_NEAR
    ).exists()


def _pause(user_id: int) -> None:
    """Keep a player from new tables for the time of their step."""
    record, now = record_now(user_id), timezone.now()
    if not record.step or not settings.FAIRPLAY_ACTS:
        return
    pause = Pause.objects.create(
        user_id=user_id,
        step=record.step,
        faults=record.faults,
        matches=record.matches,
        placed_at=now,
        ends_at=now + record.wait,
    )
    bar_place(user_id=user_id, kind="lobby", reference=f"{LEAVER}{pause.pk}", ends_at=pause.ends_at)


def record_now(user_id: int) -> LeaverRecord:
    """The record of a player's last matches."""
    last = Conduct.objects.filter(user_id=user_id).order_by("-at", "-pk")[:WINDOW]
    return record_of([bool(row.fault) for row in last])
