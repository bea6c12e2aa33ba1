"""Admission to a tournament, and the entry with its fee: for players and for won seats."""

import logging

import msgspec
from django.db import transaction

from accounts.models import User
from games.modes.terms import Terms as TableTerms
from games.services.guests import GuestsPlayFree
from games.services.people import account_check, apart_check
from games.table.errors import TableError
from tournaments import settlement
from tournaments.engine.draws import part_of_seat
from tournaments.engine.errors import TournamentError
from tournaments.errors import AddedByYou, MembersOnly
from tournaments.models import Entry, Tournament
from tournaments.services.clubs import is_member
from tournaments.services.store import TournamentWork, table_terms_of, tournament_lock


def admission_check(user: User, tournament: Tournament) -> None:
    """Raise what keeps this person out: an account, a bar, or a link with another entrant.

    Raises `GuestsPlayFree`, `MembersOnly`, `AddedByYou`, what `account_check` and `apart_check` do.
    """
    if user.is_guest:
        raise GuestsPlayFree("guests play at tables; for tournaments one needs an account")
    terms = _as_staked(tournament)
    account_check(user.pk, terms)
    if tournament.members_only and not is_member(tournament.club_id, user.pk):
        raise MembersOnly("this tournament is for members of its club")
    if not tournament.fee_cents:
        return
    if user.pk in settlement.adders(tournament):
        raise AddedByYou("nobody plays for credits that they added themselves")
    others = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    for other_id in others.values_list("user_id", flat=True):
        apart_check(user.pk, other_id, terms)


def _as_staked(tournament: Tournament) -> TableTerms:
    """The terms of a table whose stake is the fee: for credits the same people may play."""
    return msgspec.structs.replace(table_terms_of(tournament), stake_cents=tournament.fee_cents)


def entry_make(
    user: User, tournament: Tournament, part: str, *, won_in: Tournament | None = None
) -> Entry:
    """Enter a person into a locked tournament; the fee goes into escrow last.

    Raises `Refused` (phase, full), `StakeRefused`.
    """
    work = TournamentWork(tournament)
    work.engine.enter(user.pk, work.now_ms)
    entry = Entry.objects.create(
        tournament=tournament,
        user=user,
        number=Entry.objects.filter(tournament=tournament).count() + 1,
        part=part,
        won_in=won_in,
        entered_at=work.now,
    )
    if tournament.starts_at is None and len(work.engine.state.entrants) == work.engine.terms.most:
        tournament.wake_at = work.now
    work.store()
    settlement.fee_take(entry)
    return entry


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
    except (TableError, TournamentError, settlement.StakeRefused) as error:
        target.refresh_from_db()  # the row in hand already counted the entry that was taken back
        logger.info("user %s takes no seat in tournament %s: %s", won.user_id, target.pk, error)
        return False
    return True
