"""Names of tournaments: reporting them, taking them away, giving them back.

A name that was taken away is empty in the row, and every page shows a neutral one
(`tournaments/services/naming.py`). Locks: the tournament first, then the journal.
"""

from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.reserved_names import is_title_reserved
from games.table.errors import BadTerms
from tournaments.decisions import TITLE, TITLE_RESTORE, title_record
from tournaments.errors import (
    NamedByTheHouse,
    NameReserved,
    NoSuchTournament,
    NothingToDecide,
    TitleWithdrawn,
)
from tournaments.models import Tournament, TournamentRemoval, TournamentReport
from tournaments.services import judging
from tournaments.services.clubs import name_key, person_check
from tournaments.services.mails import founder_mail
from tournaments.services.news import change_tell

#: what moderators decide: nothing, or the name goes
OUTCOMES: Final = ("nothing", "name")


def title_shown(tournament: Tournament) -> str:
    """A token that changes with the name."""
    return judging.shown_token(tournament.name)


def title_check(name: str, *, by_house: bool) -> None:
    """Raise `TitleWithdrawn` for a name that moderators took away, or one that looks like it, and
    `NameReserved` for one that looks like the house's own and is not."""
    if not by_house and is_title_reserved(name):
        raise NameReserved("this name is reserved for the house")
    taken = TournamentRemoval.objects.filter(name_key=name_key(name), given_back_at=None)
    if taken.exists():
        raise TitleWithdrawn("moderators took this name away from a tournament")


def title_report(
    *, user: User, tournament_id: UUID, reason: str, words: str = ""
) -> TournamentReport:
    """Report the name of a tournament; reporting it twice makes one complaint.

    Raises `NoSuchTournament`, `NamedByTheHouse`, `GuestsPlayFree`, `TooManyReports`,
    `NothingToDecide` where the name is gone already, `BadTerms`, `BadText`.
    """
    person_check(user)
    note = judging.reason_check(reason, words)
    with transaction.atomic():
        found = _locked(tournament_id)
        if not found.name:
            raise NothingToDecide("the name was taken away already")
        return judging.report_make(
            found.reports, user=user, reason=reason, note=note, name=found.name
        )


def may_judge(user: User, tournament: Tournament) -> bool:
    """Whether this moderator may decide: neither they nor their club named it or reported it."""
    return judging.may_judge(user, tournament.reports, own=is_own(user, tournament))


def is_own(user: User, tournament: Tournament) -> bool:
    """Whether this person holds the tournament, or their club does."""
    return tournament.founder_id == user.pk or tournament.club_id in judging.own_clubs(user)


def title_decide(
    *, actor: User, tournament_id: UUID, outcome: str, shown: str, reason: str
) -> Tournament:
    """Close all open reports of a tournament's name, and take the name away or leave it.

    `shown` is the token of what was judged (`title_shown`). Raises `NotAllowed`, `ReasonMissing`,
    `NoSuchTournament`, `NamedByTheHouse`, `NothingToDecide`, `BadTerms`.
    """
    if outcome not in OUTCOMES:
        raise BadTerms("there is no such outcome", field="outcome")
    with transaction.atomic(durable=True):
        found = _judged(tournament_id, actor, reason)
        if title_shown(found) != shown:
            raise NothingToDecide("the name was taken or given back meanwhile")
        before = {"name": found.name}
        judging.reports_close(found.reports, actor=actor, outcome=outcome)
        if outcome == "name":
            _take(found, actor)
        after = {"name": found.name, "outcome": outcome}
        title_record(found, actor, TITLE, before=before, after=after, reason=reason.strip())
        return found


def title_restore(*, actor: User, removal_id: int, reason: str) -> Tournament:
    """Give a name back. Raises `NotAllowed`, `ReasonMissing`, `NothingToDecide`."""
    with transaction.atomic(durable=True):
        removals = TournamentRemoval.objects.filter(pk=removal_id)
        found = _judged(removals.values_list("tournament_id", flat=True).get(), actor, reason)
        removal = removals.get()
        if removal.given_back_at is not None:
            raise NothingToDecide("this was given back already")
        removal.given_back_at = timezone.now()
        removal.save(update_fields=["given_back_at"])
        found.name = removal.name
        found.save(update_fields=["name"])
        change_tell(found, listed=True)
        title_record(
            found,
            actor,
            TITLE_RESTORE,
            before={"name": ""},
            after={"name": found.name},
            reason=reason.strip(),
        )
        return found


def _take(found: Tournament, actor: User) -> None:
    if not found.name:
        raise NothingToDecide("this was taken away already")
    TournamentRemoval.objects.create(
        tournament=found, name=found.name, name_key=name_key(found.name), taken_by=actor
    )
    found.name = ""
    found.save(update_fields=["name"])
    change_tell(found, listed=True)
    founder_mail(found)


def _judged(tournament_id: UUID, actor: User, reason: str) -> Tournament:
    """The tournament, locked, for a moderator who may decide about it, with a reason."""
    found = _locked(tournament_id)
    judging.judge_check(actor, reason, found.reports, own=is_own(actor, found))
    return found


def _locked(tournament_id: UUID) -> Tournament:
    """A tournament that people named, locked until the transaction ends."""
    found = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if found is None:
        raise NoSuchTournament("there is no such tournament")
    if found.founder_id is None:
        raise NamedByTheHouse("the house named this tournament")
    return found
