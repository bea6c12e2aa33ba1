"""Holding a tournament: its terms are fixed here, before anybody enters."""

import secrets
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.broadcast import publish_on_commit
from games.modes.kinds.practice import MODE as PRACTICE
from games.modes.terms import Terms as TableTerms
from games.selectors import prices, terms_offered
from games.services.dice.keys import draw_hide
from games.table.errors import BadTerms
from tournaments.engine.draws import commitment_of
from tournaments.engine.formats import format_of
from tournaments.engine.state import TournamentState
from tournaments.engine.terms import TournamentTerms
from tournaments.errors import AnnouncedTooMany, OwnTournaments, PaidByTheHouse
from tournaments.models import OPEN, Club, Phase, Tournament
from tournaments.pools import Pool, sides_check, usual_shares
from tournaments.services.clubs import director_check
from tournaments.services.store import CALENDAR_CHANNEL, JOURNAL, changed
from tournaments.services.words import title_check

SECRET_BYTES: Final = 32
#: one person holds so many open tournaments at most,
OPEN_MOST: Final = 3
#: and announces so many in a day, those that were called off too.
ANNOUNCED_A_DAY_MOST: Final = 6
DAY: Final = timedelta(days=1)
#: a tournament begins at least so long after it was announced, and at most.
EARLIEST: Final = timedelta(minutes=2)
LATEST: Final = timedelta(days=60)
FEE_MOST_CENTS: Final = 100_000


def tournament_hold(
    *,
    founder: User | None,
    name: str,
    terms: TournamentTerms,
    fee_cents: int = 0,
    sides_bps: tuple[int, ...] = (),
    starts_at: datetime | None = None,
    offer: str = "",
    with_bots: bool = False,
    club: Club | None = None,
    members_only: bool = False,
    satellite_of: Tournament | None = None,
    **wishes: Any,
) -> Tournament:
    """Announce a tournament; without `starts_at` it begins as soon as all places are taken.

    `wishes` are those of a table (`games.modes.terms.Wishes`); its mode is the points match, its
    length that of the terms. With bots it is practice. Without a founder the house holds it.
    A tournament of a club is held by one of its directors; `members_only` closes it to others,
    and a closed club has no other ones.
    A satellite's first prizes are seats in `satellite_of`. `sides_bps` of the prizes are for the
    winners of a consolation and its last chance.
    Raises `BadTerms`, `PaidByTheHouse`, `OwnTournaments`, `AnnouncedTooMany`, `NotDirector`,
    `TitleWithdrawn`, `NameReserved`.
    """
    if club is not None:
        assert founder is not None, "a director holds it"
        director_check(club, founder.pk)
        members_only = members_only or not club.is_open
    table_terms = tables_offered(terms, with_bots=with_bots, **wishes)
    secret, tournament_id = secrets.token_hex(SECRET_BYTES), uuid4()
    held = Tournament(
        id=tournament_id,
        name=name.strip(),
        founder=founder,
        club=club,
        members_only=members_only,
        offer=offer,
        terms=asdict(terms),
        table_terms=msgspec.to_builtins(table_terms),
        state=JOURNAL.plain(TournamentState(terms=terms)),
        fee_cents=fee_cents,
        rake_bps=prices().rake_bps if fee_cents else 0,
        shares_bps=usual_shares(terms.most) if fee_cents and not satellite_of else [],
        sides_bps=sides_bps,
        satellite_of=satellite_of,
        starts_at=starts_at,
        commitment=commitment_of(secret),
        hidden_secret=draw_hide(tournament_id, secret),
        wake_at=starts_at,
    )
    _check(held, terms)
    with transaction.atomic():
        if founder is not None:
            _count_own(founder)
            title_check(name, by_house=may_hold_paid(founder))
        held.save(force_insert=True)
        publish_on_commit(CALENDAR_CHANNEL, changed())
        return held


def tables_offered(terms: TournamentTerms, *, with_bots: bool = False, **wishes: Any) -> TableTerms:
    """The terms of the tables: matches of this length without a stake. Raises `BadTerms`.

    House bots sit at practice tables alone, which are not rated. A match to 1 has no cube: nobody
    could double.
    """
    if terms.length == 1:
        wishes = {**wishes, "has_cube": False}
    if with_bots:
        return PRACTICE.at_score(terms_offered(mode=PRACTICE.key, **wishes), terms.length)
    return terms_offered(
        mode="match", stake_cents=0, target_points=terms.length, watchers=True, **wishes
    )


def may_hold_paid(user: User) -> bool:
    """Whether this person may hold tournaments with an entry fee."""
    return user.has_perm("tournaments.hold_paid_tournament")


def _check(held: Tournament, terms: TournamentTerms) -> None:
    if not 0 <= held.fee_cents <= FEE_MOST_CENTS:
        raise BadTerms(f"an entry fee is 0 to {FEE_MOST_CENTS} cents")
    format_of(terms)
    if held.starts_at is None:
        if not held.offer and terms.least != terms.most:
            raise BadTerms("without a time it begins when all places are taken", field="starts_at")
    elif not EARLIEST <= held.starts_at - timezone.now() <= LATEST:
        raise BadTerms("it begins in 2 minutes at the earliest, in 60 days at the latest")
    if held.sides_bps:
        sides_check(held.sides_bps)
        if terms.format != "consolation" or not held.fee_cents or held.satellite_of:
            raise BadTerms("only a consolation with an entry fee has prizes there", field="sides")
    if held.satellite_of is not None:
        _satellite_check(held, held.satellite_of, terms.most)
    if held.fee_cents and held.founder is not None and not may_hold_paid(held.founder):
        raise PaidByTheHouse("only the house holds tournaments with an entry fee")


def _satellite_check(held: Tournament, target: Tournament, most: int) -> None:
    target_open = target.phase == Phase.REGISTERING and target.fee_cents > 0
    begins = target.starts_at
    if not target_open or begins is None or begins <= (held.starts_at or timezone.now()):
        raise BadTerms(
            "a satellite leads to a later tournament with an entry fee", field="satellite_of"
        )
    if not Pool(held.fee_cents, held.rake_bps, (), most, seat_cents=target.fee_cents).seats:
        raise BadTerms("the entry fees of a satellite buy a seat or more", field="fee")


def _count_own(founder: User) -> None:
    User.objects.select_for_update(no_key=True).get(pk=founder.pk)
    open_now = Tournament.objects.filter(founder=founder, phase__in=OPEN).count()
    if open_now >= OPEN_MOST:
        raise OwnTournaments(f"you hold {OPEN_MOST} open tournaments already")
    if may_hold_paid(founder):
        return
    made = Tournament.objects.filter(founder=founder, created_at__gt=timezone.now() - DAY)
    moments = made.order_by("-created_at").values_list("created_at", flat=True)
    if len(lately := list(moments[:ANNOUNCED_A_DAY_MOST])) == ANNOUNCED_A_DAY_MOST:
        raise AnnouncedTooMany(
            f"a person announces {ANNOUNCED_A_DAY_MOST} tournaments in a day at most",
            until_ms=int((lately[-1] + DAY).timestamp() * 1000),
        )
