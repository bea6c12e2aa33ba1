"""The sit-and-gos of the house: one of each is kept open; seats of people who have gone end."""

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from backgammon.bots.strength import STRENGTHS
from games.services.house_bots import house_bot
from games.table.errors import Busy
from tournaments.engine.errors import TournamentError
from tournaments.models import Entry, Phase, Tournament
from tournaments.offers import OFFERS, SitAndGo
from tournaments.services.entering import tournament_enter, tournament_withdraw
from tournaments.services.holding import tournament_hold

#: house bots wait so long for more people before they take the seats that are left.
BOTS_WAIT: Final = timedelta(seconds=15)


def offers_keep() -> int:
    """Open every sit-and-go of the house that is not filling, and let bots sit down; how many."""
    return sum(map(_opened, _missing())) + bots_fill()


def _missing() -> list[SitAndGo]:
    registering = Tournament.objects.filter(phase=Phase.REGISTERING)
    filling = set(registering.exclude(offer="").values_list("offer", flat=True))
    return [offer for offer in OFFERS if offer.key not in filling]


def _opened(offer: SitAndGo) -> bool:
    try:
        with transaction.atomic():
            tournament_hold(
                founder=None,
                name=offer.name,
                terms=offer.terms,
                fee_cents=offer.fee_cents,
                offer=offer.key,
                variant=offer.variant,
                clock=offer.clock,
                with_bots=offer.with_bots,
            )
    except IntegrityError:
        return False  # another worker was first
    return True


def bots_fill() -> int:
    """Let house bots take the seats that are left where a person waits; return how many sat down.

    Each plays at another strength, the strongest last.
    """
    people = _bots_awaited().values("tournament")
    return sum(map(_filled, Tournament.objects.filter(pk__in=people)))


def offers_wait() -> bool:
    """Whether a sit-and-go of the house needs the house."""
    return bool(_missing()) or _bots_awaited().exists()


def _bots_awaited() -> QuerySet[Entry]:
    """The people who have waited long enough for others to sit down beside them."""
    return Entry.objects.filter(
        tournament__phase=Phase.REGISTERING,
        tournament__offer__in=[offer.key for offer in OFFERS if offer.with_bots],
        withdrawn_at__isnull=True,
        user__is_bot=False,
        entered_at__lte=timezone.now() - BOTS_WAIT,
    )


def _filled(tournament: Tournament) -> int:
    entries = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    most = int(tournament.terms["most"])
    free = most - entries.count()
    for strength in STRENGTHS[-free:] if free else ():
        try:
            tournament_enter(user=house_bot(strength), tournament_id=tournament.pk)
        except TournamentError:
            break  # a person was quicker
    return free


#: not seen for this long: the seat is given up.
GONE_SECONDS: Final = 600.0
AT_ONCE: Final = 100


def people_seated() -> QuerySet[Entry, int]:
    """The numbers of all with a seat in a sit-and-go that fills, bots left out."""
    return _seats().values_list("user_id", flat=True).distinct()


def seats_give_up(user_ids: Collection[int]) -> int:
    """Give up the seats of these people; return how many."""
    given = 0
    for entry in _seats().filter(user__in=user_ids).select_related("user")[:AT_ONCE]:
        with suppress(Busy, TournamentError):  # it has just begun
            tournament_withdraw(user=entry.user, tournament_id=entry.tournament_id)
            given += 1
    return given


def _seats() -> QuerySet[Entry]:
    return Entry.objects.filter(
        tournament__phase=Phase.REGISTERING,
        tournament__starts_at__isnull=True,
        withdrawn_at__isnull=True,
        user__is_bot=False,
    )
