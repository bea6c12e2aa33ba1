"""Seats that are won in a satellite: taken as its prizes are paid, in the same transaction.

The prizes go to the wallets, and the fees of the seats from there into the target's escrow. Where
somebody cannot sit down there, their credits stay in their wallet.

Locks: the satellite, the target, then the books. The prizes have locked the wallets by then.
"""

import logging

from django.db import transaction

from games.table.errors import TableError
from tournaments import settlement
from tournaments.engine.draws import part_of_seat
from tournaments.models import Entry, Tournament
from tournaments.services.admission import admission_check, entry_make
from tournaments.services.store import tournament_lock

logger = logging.getLogger(__name__)


def target_lock(satellite: Tournament) -> Tournament | None:
    """Lock the target of a satellite; None for any other tournament. Raises `Busy`."""
    if satellite.satellite_of_id is None:
        return None
    return tournament_lock(satellite.satellite_of_id)


def seats_take(satellite: Tournament, target: Tournament, winners: tuple[int, ...]) -> int:
    """Let the winners sit down in the locked target, the best first; return how many did."""
    standing = Entry.objects.filter(tournament=satellite, withdrawn_at__isnull=True)
    entries = {entry.user_id: entry for entry in standing.select_related("user")}
    return sum(seat_take(satellite, target, entries[winner]) for winner in winners)


def seat_take(satellite: Tournament, target: Tournament, won: Entry) -> bool:
    """Make the entry of one winner; False where that is not possible."""
    entered = Entry.objects.filter(tournament=target, user=won.user, withdrawn_at__isnull=True)
    if entered.exists():
        return False
    part = part_of_seat(won.part, str(target.pk))
    try:
        with transaction.atomic():
            admission_check(won.user, target)
            entry_make(won.user, target, part, won_in=satellite)
    except (TableError, settlement.StakeRefused) as error:
        logger.info("user %s takes no seat in tournament %s: %s", won.user_id, target.pk, error)
        return False
    return True
