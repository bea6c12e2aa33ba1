"""Names and descriptions of clubs: reporting them, taking them away, writing them anew.

Locks: the club first, then the journal.
"""

import hashlib
import json
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from games.services.administration import NotAllowed, ReasonMissing
from games.services.chat_reports import TooManyReports
from games.table.errors import BadTerms
from games.table.talk import REPORT_WORDS_LENGTH_MAX, text_cleaned
from tournaments.decisions import CLUB_RESTORE, CLUB_WORDS, club_record
from tournaments.errors import ClubChanged, ClubNameTaken, ClubWordsWithdrawn, NothingToDecide
from tournaments.models import IN, Club, ClubRemoval, ClubReport, Membership
from tournaments.services.club_mails import directors_mail
from tournaments.services.clubs import (
    club_lock,
    director_check,
    name_checked,
    name_key,
    person_check,
)

PERMISSION: Final = "games.decide_chatreport"

#: why a club's name or description may be reported: those reasons of chats that fit it
REASONS: Final = ("insult", "threat", "spam", "other")

#: what moderators decide: nothing, or what they take away
OUTCOMES: Final = ("nothing", "name", "about", "both")

REPORTS_A_DAY_MAX: Final = 5


def words_shown(club: Club) -> str:
    """A token that changes with every change of the name and the description."""
    return hashlib.sha256(json.dumps([club.name, club.about]).encode()).hexdigest()


def club_report(*, user: User, club_id: UUID, reason: str, words: str = "") -> ClubReport:
    """Report name and description of a club; reporting it twice makes one complaint.

    Raises `NoSuchClub`, `GuestsPlayFree`, `TooManyReports`, `BadTerms`, `BadText`.
    """
    person_check(user)
    if reason not in REASONS:
        raise BadTerms("there is no such reason", field="reason")
    note = text_cleaned(words, REPORT_WORDS_LENGTH_MAX) if words.strip() else ""
    with transaction.atomic():
        club = club_lock(club_id)
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        mine = ClubReport.objects.filter(reporter=user)
        known = mine.filter(club=club, outcome="").first()
        if known is not None:
            return known
        if mine.filter(made_at__gt=timezone.now() - timedelta(days=1)).count() >= REPORTS_A_DAY_MAX:
            raise TooManyReports(f"{REPORTS_A_DAY_MAX} complaints about clubs a day are read")
        return ClubReport.objects.create(
            club=club, reporter=user, name=club.name, about=club.about, reason=reason, words=note
        )


def own_clubs(user: User) -> set[UUID]:
    """The clubs that this person founded or is in, so that reports of these are about them too."""
    own = Q(founder=user) | Q(
        pk__in=Membership.objects.filter(user=user, standing__in=IN).values("club")
    )
    return set(Club.objects.filter(own).values_list("pk", flat=True))


def may_judge(user: User, club: Club) -> bool:
    """Whether this moderator may decide: no founder or member, and no open complaint of theirs."""
    if not user.has_perm(PERMISSION) or club.pk in own_clubs(user):
        return False
    return not ClubReport.objects.filter(club=club, reporter=user, outcome="").exists()


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
        open_reports = ClubReport.objects.filter(club=club, outcome="")
        if outcome == "nothing" and not open_reports.exists():
            raise NothingToDecide("no report of this club is open")
        if outcome != "nothing":
            _take(club, actor, outcome)
        open_reports.update(outcome=outcome, closed_at=timezone.now(), closed_by=actor)
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
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    club = club_lock(club_id)
    if not may_judge(actor, club):
        raise NotAllowed("you may not decide about this club")
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
