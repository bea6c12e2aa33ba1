"""Keeping the house's sit-and-gos open."""

from django.db import IntegrityError, transaction

from tournaments.models import Phase, Tournament
from tournaments.offers import OFFERS, Offer
from tournaments.services.holding import tournament_hold


def offers_keep() -> int:
    """Open every sit-and-go of the house that is not filling; return how many were opened."""
    filling = set(
        Tournament.objects.filter(phase=Phase.REGISTERING)
        .exclude(offer="")
        .values_list("offer", flat=True)
    )
    return sum(_opened(offer) for offer in OFFERS if offer.key not in filling)


def _opened(offer: Offer) -> bool:
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
            )
    except IntegrityError:
        return False  # another worker was first
    return True
