"""Names and descriptions of clubs: reporting them, taking them away, writing them anew.

Locks: the club first, then the journal.
"""

from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games.table.errors import BadTerms
from tournaments.decisions import CLUB_RESTORE, CLUB_WORDS, club_record
from tournaments.errors import ClubChanged, ClubNameTaken, ClubWordsWithdrawn, NothingToDecide
from tournaments.models import Club, ClubRemoval, ClubReport
from tournaments.seen import is_seen
from tournaments.services import judging
from tournaments.services.clubs import (
    club_lock,
    director_check,
    name_checked,
    name_key,
    person_check,
)
from tournaments.services.mails import directors_mail

#: what moderators decide: nothing, or what they take away
OUTCOMES: Final = ("nothing", "name", "about", "both")


def words_shown(club: Club) -> str:
    """A token that changes with every change of the name and the description."""
    return judging.shown_token(club.name, club.about)


def club_report(*, user: User, club_id: UUID, reason: str, words: str = "") -> ClubReport:
    """Report name and description of a club; reporting it twice makes one complaint.

    Raises `NoSuchClub`, `GuestsPlayFree`, `TooManyReports`, `BadTerms`, `BadText`.
    """
    person_check(user)
    note = judging.reason_check(reason, words)
    with transaction.atomic():
        club = club_lock(club_id)
        about = club.about if is_seen(club, user.pk) else ""
        kept = {"name": club.name, "about": about}
        return judging.report_make(club.reports, user=user, reason=reason, note=note, **kept)


def may_judge(user: User, club: Club) -> bool:
    """Whether this moderator may decide: no founder or member, and no open complaint of theirs."""
    return judging.may_judge(user, club.reports, own=club.pk in judging.own_clubs(user))


def club_decide(*, actor: User, club_id: UUID, outcome: str, shown: str, reason: str) -> Club:
    """Close all open reports of a club, and take away its name, its description, both or nothing.

    `shown` is the token of what was judged (`words_shown`). Raises `NotAllowed`, `ReasonMissing`,
    `NoSuchClub`, `ClubChanged`, `NothingToDecide`, `BadTerms`.
    """
    if outcome not in OUTCOMES:
        raise BadTerms("there is no such outcome", field="outcome")
    with transaction.atomic(durable=True):
        club = _judged(club_id, actor, reason)
        if words_shown(club) != shown:
            raise ClubChanged("the club has another name or description by now")
        before = _facts(club)
        judging.reports_close(club.reports, actor=actor, outcome=outcome)
        if outcome != "nothing":
            _take(club, actor, outcome)
        after = {**_facts(club), "outcome": outcome}
        club_record(club, actor, CLUB_WORDS, before=before, after=after, reason=reason.strip())
        return club


def club_restore(*, actor: User, removal_id: int, reason: str) -> Club:
    """Give back what was taken; a name or description that was chosen since stays.

    Raises `NotAllowed`, `ReasonMissing`, `NothingToDecide`, `ClubNameTaken`.
    """
    try:
        with transaction.atomic(durable=True):
            club_id = ClubRemoval.objects.values_list("club_id", flat=True).get(pk=removal_id)
            club = _judged(club_id, actor, reason)
            removal = ClubRemoval.objects.get(pk=removal_id)
            if removal.given_back_at is not None:
                raise NothingToDecide("this was given back already")
            before = _facts(club)
            if removal.name and club.unnamed:
                club.name, club.unnamed = removal.name, False
            club.about = club.about or removal.about
            club.save(update_fields=["name", "unnamed", "about"])
            removal.given_back_at = timezone.now()
            removal.save(update_fields=["given_back_at"])
            club_record(
                club, actor, CLUB_RESTORE, before=before, after=_facts(club), reason=reason.strip()
            )
            return club
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def club_describe(*, director: User, club_id: UUID, about: str, name: str = "") -> Club:
    """Write the description anew, and the name of a club whose name was taken away.

    Raises `NoSuchClub`, `NotDirector`, `BadTerms`, `ClubNameTaken`, `ClubWordsWithdrawn`.
    """
    try:
        with transaction.atomic():
            club = club_lock(club_id)
            director_check(club, director.pk)
            if club.unnamed and name.strip() and name.strip() != club.name:
                club.name, club.unnamed = name_checked(name), False
            taken = ClubRemoval.objects.filter(club=club, given_back_at=None)
            if about and name_key(about) in map(name_key, taken.values_list("about", flat=True)):
                raise ClubWordsWithdrawn("moderators took this description away")
            club.about = about
            club.save(update_fields=["name", "unnamed", "about"])
            return club
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def _judged(club_id: UUID, actor: User, reason: str) -> Club:
    """The club, locked, for a moderator who may decide about it, with a reason."""
    club = club_lock(club_id)
    own = club.pk in judging.own_clubs(actor)
    judging.judge_check(actor, reason, club.reports, own=own)
    return club


def _take(club: Club, actor: User, outcome: str) -> None:
    name = club.name if outcome in ("name", "both") and not club.unnamed else ""
    about = club.about if outcome in ("about", "both") else ""
    if not name and not about:
        raise NothingToDecide("this was taken away already")
    ClubRemoval.objects.create(
        club=club,
        name=name,
        name_key=name_key(name) if name else "",
        about=about,
        taken_by=actor,
    )
    if name:
        club.name, club.unnamed = _neutral_name(club), True
    if about:
        club.about = ""
    club.save(update_fields=["name", "unnamed", "about"])
    directors_mail(club, name=name, about=about)


def _neutral_name(club: Club) -> str:
    """A name that says nothing, of the first digits of the id: "Club 8f3a"."""
    names = (f"Club {club.pk.hex[:digits]}" for digits in range(4, 33))
    return next(each for each in names if not Club.objects.filter(name__iexact=each).exists())


def _facts(club: Club) -> dict[str, str]:
    return {"name": club.name, "about": club.about}
