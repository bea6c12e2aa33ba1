"""Quick pairing, and closing tables whose openers have gone.

Locks: the lock of a pairing first (one for each kind of table that people look for), then tables
in the order of their ids, then the books.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from uuid import UUID

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games import settlement
from games.models import StandIn, Table
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.offered import terms_open
from games.selectors import table_state
from games.selectors_lobby import WITHOUT_STAND_IN, tables_open, terms_of
from games.services.bars import OpenerBarred, barred_among, opener_check
from games.services.guests import guest_begin_check
from games.services.outages import counts_since, presence_is_known
from games.services.people import account_check, guest_check, strength_at
from games.services.seats import person_lock, seat_check, table_create
from games.services.stand_ins import FREE_TO_ASK, asked_for, is_away, offer_make
from games.services.tables import OneOpenTable, stakes_told, table_shut, table_sit, tables_lock
from games.settlement import StakeNotPossible
from games.table.errors import BadTerms, TableError
from kit.database import database_now_ms, moment, name_lock

CANDIDATES_MAX = 50
CLOSE_BATCH = 100

#: so many of those who play the house bot are looked at for each other at a time.
PAIRED_AT_ONCE = 200

#: after an outage of the house players have this long to return to their tables
OUTAGE_GRACE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class LobbyPairing:
    """Where a player has been seated; `found`: an opponent sits there and the match has begun."""

    table: Table
    found: bool


def quick_pair(*, user: User, strength_span: int | None = None, **wishes: object) -> LobbyPairing:
    """Sit down at the oldest table that fits, or open one that others find.

    `wishes` are those of `games.modes.terms.Wishes`; a table fits when its terms are the same to
    the last rule and each player is within the other's `strength_span` (None: anybody). Two who
    look for the same at once find each other: the second sees the table of the first.
    Asked again while waiting, it answers the same table; if somebody sits down there at this very
    moment, that match is the answer. Raises `BadTerms`, `StakeNotPossible`, what `account_check`,
    `guest_begin_check` and `seat_check` do, and `OneOpenTable` if no table fits and the player
    waits at a table on other terms.
    """
    terms = terms_open(**wishes)
    if mode_of(terms).is_practice:
        raise BadTerms("nobody is paired to practise")
    account_check(user.pk, terms)
    guest_begin_check(user, with_people=True)
    seat_check(user.pk)
    if settlement.balance_cents(user.pk) < terms.stake_cents:
        raise StakeNotPossible("your credits do not suffice for this stake", who="you")
    waiting = Table.objects.filter(opener=user.pk, phase="open").first()
    try:
        with stakes_told(user.pk), transaction.atomic(durable=True):
            _pairing_lock(terms)
            person_lock(user.pk)  # an account that is being closed opens no table unseen
            found = _sit_at_fitting(user.pk, terms, strength_span)
            if found is not None:
                return LobbyPairing(found, found=True)
            taken = _taken_meanwhile(waiting)
            if taken is not None:
                return LobbyPairing(taken, found=True)
            table = _wait(user.pk, terms, strength_span)
            _ask(table, terms)
            return LobbyPairing(table, found=False)
    except IntegrityError as error:
        raise OneOpenTable("you have an open table already") from error


def _pairing_lock(terms: Terms) -> None:
    """Serialise people who look for the same terms: each waits until the one before commits."""
    name_lock(f"pairing:{msgspec.json.encode(terms).decode()}")


def _sit_at_fitting(user_id: int, terms: Terms, span: int | None) -> Table | None:
    for table in _fitting(user_id, terms, span):
        try:
            with transaction.atomic():
                return table_sit(user_id, table.pk)
        except settlement.StakeRefused as error:
            if error.user_id != table.opener_id:
                raise
        except TableError:
            continue  # taken or closed meanwhile, or not open to this player: the next one
    return None


def _ask(table: Table, terms: Terms) -> bool:
    """Whether somebody who fits and plays the house bot is asked now about the one who waits here.

    One is asked at a time: the one who has waited longest, of those who are at their game.
    """
    if terms.stake_cents or asked_for(table.pk) is not None:
        return False
    for other in _fitting(table.opener_id, terms, table.strength_span, FREE_TO_ASK):
        if is_away(other):
            continue
        try:
            guest_check(other, table.opener_id, terms)
        except TableError:
            continue  # the two may not meet: the next one
        if offer_make(other, table):
            return True
    return False


def offers_make() -> int:
    """Ask those who play the house bot about each other where nobody is asked; how many pairs.

    They came while another was asked, or away, who has said no or come back meanwhile.
    """
    free = tables_open().filter(FREE_TO_ASK, stake_cents=0)
    alike: dict[Terms, list[UUID]] = defaultdict(list)
    for table_id, terms in terms_of(free[:PAIRED_AT_ONCE]):
        alike[terms].append(table_id)
    made = 0
    for terms, table_ids in alike.items():
        for table_id in table_ids[1:]:  # the first one is asked about those who came later
            with transaction.atomic(durable=True):
                _pairing_lock(terms)
                table = free.filter(pk=table_id).first()
                made += table is not None and not is_away(table) and _ask(table, terms)
    return made


def _fitting(
    user_id: int, terms: Terms, span: int | None, which: Q = WITHOUT_STAND_IN
) -> Iterator[Table]:
    """Open tables on exactly these terms whose openers are near enough in strength."""
    strength = strength_at(user_id, terms)
    alike = tables_open().filter(
        which, mode=terms.mode, variant=terms.game_key, stake_cents=terms.stake_cents
    )
    alike = alike.exclude(opener=user_id)
    same = (pk for pk, theirs in terms_of(alike) if theirs == terms)
    for table in alike.filter(pk__in=list(islice(same, CANDIDATES_MAX))):
        apart = abs(strength - strength_at(table.opener_id, terms))
        near = all(limit is None or apart <= limit for limit in (span, table.strength_span))
        if near:
            yield table


def _taken_meanwhile(waiting: Table | None) -> Table | None:
    """The table at which this player was waiting, if an opponent has just sat down there."""
    if waiting is not None:
        waiting.refresh_from_db()
    if waiting is None or waiting.guest_id is None or waiting.phase == "closed":
        return None  # closed: the guest has stood up again, and the successor is found as one's own
    return waiting


def _wait(user_id: int, terms: Terms, span: int | None) -> Table:
    own = Table.objects.filter(opener=user_id, phase="open").first()
    if own is not None:
        if table_state(own).terms == terms and own.code is None and own.strength_span == span:
            return own
        if not StandIn.objects.filter(table=own).exists():
            raise OneOpenTable("you have an open table already")
        for former in tables_lock(Q(pk=own.pk, phase="open")).values():
            table_shut(former)  # nobody sees it but who comes: the new search takes its place
    change = table_create(user_id, terms, strength_span=span)
    change.store()
    return change.table


def people_waiting() -> QuerySet[Table, int]:
    """The numbers of those who wait at open tables."""
    return Table.objects.filter(phase="open").values_list("opener_id", flat=True)


def absence_counts() -> bool:
    """Whether not having been seen means anything: the house was up all the while, with Valkey."""
    if not presence_is_known():
        return False
    now_ms = database_now_ms()
    lately = moment(now_ms) - OUTAGE_GRACE
    return counts_since(lately, now_ms) == lately


def tables_close_of(user_ids: Collection[int]) -> int:
    """Close the open tables of people who have gone; returns how many."""
    waiting = Table.objects.filter(phase="open", opener__in=user_ids)
    return _close([table.pk for table in waiting[:CLOSE_BATCH]])


def tables_close_unpayable() -> int:
    """Close the open tables whose openers can no longer begin there; returns how many.

    Their credits no longer suffice, a break or an exclusion has begun, or they are barred.
    """
    waiting = list(Table.objects.filter(phase="open").order_by("created_at").defer("state"))
    staked = {table.opener_id: table.stake_cents for table in waiting if table.stake_cents}
    unable = settlement.unable_among(staked)  # a person has one open table
    barred = barred_among({table.opener_id for table in waiting})
    gone = [
        table.pk
        for table in waiting
        if (table.stake_cents and table.opener_id in unable) or _is_barred(table, barred)
    ]
    return _close(gone[:CLOSE_BATCH])


def _is_barred(table: Table, barred: Collection[int]) -> bool:
    """Whether the opener, if among those under a bar, is kept from these terms."""
    if table.opener_id not in barred:
        return False
    try:
        opener_check(table.opener_id, table_state(table).terms)
    except OpenerBarred:
        return True
    return False


def _close(table_ids: Collection[object]) -> int:
    """Close these tables as far as they are still open, each in a transaction of its own."""
    closed = 0
    for table_id in table_ids:
        with transaction.atomic(durable=True):
            for table in tables_lock(Q(pk=table_id, phase="open")).values():
                table_shut(table)
                closed += 1
    return closed
