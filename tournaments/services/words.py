"""Words of clubs and of tournaments: reporting them, taking them away, giving them back.

A name that was taken from a tournament is empty in the row, and every page shows a neutral one
(`tournaments/services/naming.py`); a club gets one. Locks: the club or tournament first, then the
journal.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.reserved_names import is_title_reserved
from games.services.administration import MayNotDecide, ReasonMissing
from games.services.chat_reports import TooManyReports
from games.table.errors import BadTerms, TableError
from games.table.talk import REPORT_WORDS_LENGTH_MAX, text_cleaned
from tournaments.decisions import words_record
from tournaments.errors import (
    ClubChanged,
    ClubNameTaken,
    ClubWordsWithdrawn,
    NamedByTheHouse,
    NameReserved,
    NoSuchTournament,
    NothingToDecide,
    TitleWithdrawn,
)
from tournaments.models import IN, Club, Membership, Tournament, WordsRemoval, WordsReport
from tournaments.services.clubs import (
    club_lock,
    director_check,
    name_checked,
    name_key,
    person_check,
)
from tournaments.services.mails import directors_mail, founder_mail
from tournaments.services.news import change_tell
from tournaments.visibility import is_seen

PERMISSION: Final = "games.decide_chatreport"

#: why a name or a description may be reported: those reasons of chats that fit it
REASONS: Final = ("insult", "threat", "spam", "other")

REPORTS_A_DAY_MAX: Final = 5

Subject = Any
"""A `Club` or a `Tournament`, as its kind has it."""


@dataclass(frozen=True, slots=True)
class WordsKind:
    """One kind of subject whose words are moderated.

    `key` is the field of reports and removals, and the first part of verbs and subjects of the
    journal. `lock` raises where there is none. `taken` names what an outcome takes (name and
    description), and `take` and `give` change the row.
    """

    key: str
    outcomes: tuple[str, ...]
    changed: type[TableError]
    lock: Callable[[UUID], Subject]
    own: Callable[[User, Subject], bool]
    told: Callable[[Subject, User], Mapping[str, str]]
    taken: Callable[[Subject, str], tuple[str, str]]
    take: Callable[[Subject, str, str], None]
    give: Callable[[Subject, WordsRemoval], None]


def facts(subject: Subject) -> dict[str, str]:
    """The name of a club or a tournament, and the description of a club."""
    return {name: getattr(subject, name) for name in ("name", "about") if hasattr(subject, name)}


def words_shown(subject: Subject) -> str:
    """A token that changes with every change of these words."""
    return hashlib.sha256(json.dumps([*facts(subject).values()]).encode()).hexdigest()


def words_report(
    kind: WordsKind, *, user: User, subject_id: UUID, reason: str, words: str = ""
) -> WordsReport:
    """Report the words of a club or a tournament; reporting them twice makes one complaint.

    Raises `NoSuchClub`, `NoSuchTournament`, `NamedByTheHouse`, `GuestsPlayFree`, `TooManyReports`,
    `NothingToDecide` where the name is gone already, `BadTerms`, `BadText`.
    """
    person_check(user)
    if reason not in REASONS:
        raise BadTerms("there is no such reason", field="reason")
    note = text_cleaned(words, REPORT_WORDS_LENGTH_MAX) if words.strip() else ""
    with transaction.atomic():
        subject = kind.lock(subject_id)
        kept = kind.told(subject, user)
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        known: WordsReport | None = subject.reports.filter(reporter=user, outcome="").first()
        if known is not None:
            return known
        yesterday = timezone.now() - timedelta(days=1)
        mine = WordsReport.objects.filter(reporter=user, made_at__gt=yesterday)
        if mine.exclude(**{kind.key: None}).count() >= REPORTS_A_DAY_MAX:
            raise TooManyReports(f"{REPORTS_A_DAY_MAX} complaints of one kind a day are read")
        made: WordsReport = subject.reports.create(reporter=user, reason=reason, words=note, **kept)
        return made


def may_judge(kind: WordsKind, user: User, subject: Subject) -> bool:
    """Whether this moderator may decide: it is not their own, and no open report is theirs."""
    if kind.own(user, subject) or not user.has_perm(PERMISSION):
        return False
    return not subject.reports.filter(reporter=user, outcome="").exists()


def words_decide(
    kind: WordsKind, *, actor: User, subject_id: UUID, outcome: str, shown: str, reason: str
) -> Subject:
    """Close all open reports of a subject, and take away what the outcome names.

    `shown` is the token of what was judged (`words_shown`). Raises `MayNotDecide`,
    `ReasonMissing`, `NoSuchClub`, `NoSuchTournament`, `NamedByTheHouse`, `ClubChanged`,
    `NothingToDecide`, `BadTerms`.
    """
    if outcome not in kind.outcomes:
        raise BadTerms("there is no such outcome", field="outcome")
    with transaction.atomic(durable=True):
        subject = _judged(kind, subject_id, actor, reason)
        if words_shown(subject) != shown:
            raise kind.changed("these words were changed meanwhile")
        before = facts(subject)
        closed = subject.reports.filter(outcome="").update(
            outcome=outcome, closed_at=timezone.now(), closed_by=actor
        )
        if outcome == "nothing" and not closed:
            raise NothingToDecide("no report is open")
        if outcome != "nothing":
            _take(kind, subject, actor, outcome)
        after = {**facts(subject), "outcome": outcome}
        words_record(kind.key, subject, actor, "words", before, after, reason)
        return subject


def words_restore(kind: WordsKind, *, actor: User, removal_id: int, reason: str) -> Subject:
    """Give back what was taken; what a club has chosen since stays.

    Raises `MayNotDecide`, `ReasonMissing`, `NothingToDecide`, `ClubNameTaken`.
    """
    try:
        with transaction.atomic(durable=True):
            removals = WordsRemoval.objects.filter(pk=removal_id)
            subject_id = removals.values_list(f"{kind.key}_id", flat=True).get()
            subject = _judged(kind, subject_id, actor, reason)
            removal = removals.get()
            if removal.given_back_at is not None:
                raise NothingToDecide("this was given back already")
            before = facts(subject)
            removal.given_back_at = timezone.now()
            removal.save(update_fields=["given_back_at"])
            kind.give(subject, removal)
            words_record(kind.key, subject, actor, "restore", before, facts(subject), reason)
            return subject
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def _judged(kind: WordsKind, subject_id: UUID, actor: User, reason: str) -> Subject:
    """The club or tournament, locked, for a moderator who may decide about it, with a reason."""
    subject = kind.lock(subject_id)
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    if not may_judge(kind, actor, subject):
        raise MayNotDecide("you may not decide about this")
    return subject


def _take(kind: WordsKind, subject: Subject, actor: User, outcome: str) -> None:
    name, about = kind.taken(subject, outcome)
    if not name and not about:
        raise NothingToDecide("this was taken away already")
    subject.removals.create(
        name=name, name_key=name_key(name) if name else "", about=about, taken_by=actor
    )
    kind.take(subject, name, about)


# --- clubs ----------------------------------------------------------------------------------------
def own_clubs(user: User) -> set[UUID]:
    """The clubs that this person founded or is in, so that reports of these are about them too."""
    own = Q(founder=user) | Q(
        pk__in=Membership.objects.filter(user=user, standing__in=IN).values("club")
    )
    return set(Club.objects.filter(own).values_list("pk", flat=True))


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
            taken = WordsRemoval.objects.filter(club=club, given_back_at=None)
            if about and name_key(about) in map(name_key, taken.values_list("about", flat=True)):
                raise ClubWordsWithdrawn("moderators took this description away")
            club.about = about
            club.save(update_fields=["name", "unnamed", "about"])
            return club
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def _club_told(club: Club, user: User) -> dict[str, str]:
    return {"name": club.name, "about": club.about if is_seen(club, user.pk) else ""}


def _club_taken(club: Club, outcome: str) -> tuple[str, str]:
    name = club.name if outcome in ("name", "both") and not club.unnamed else ""
    return name, club.about if outcome in ("about", "both") else ""


def _club_take(club: Club, name: str, about: str) -> None:
    if name:
        club.name, club.unnamed = _neutral_name(club), True
    if about:
        club.about = ""
    club.save(update_fields=["name", "unnamed", "about"])
    directors_mail(club, name=name, about=about)


def _club_give(club: Club, removal: WordsRemoval) -> None:
    if removal.name and club.unnamed:
        club.name, club.unnamed = removal.name, False
    club.about = club.about or removal.about
    club.save(update_fields=["name", "unnamed", "about"])


def _neutral_name(club: Club) -> str:
    """A name that says nothing, of the first digits of the id: "Club 8f3a"."""
    names = (f"Club {club.pk.hex[:digits]}" for digits in range(4, 33))
    return next(each for each in names if not Club.objects.filter(name__iexact=each).exists())


CLUB: Final = WordsKind(
    key="club",
    outcomes=("nothing", "name", "about", "both"),
    changed=ClubChanged,
    lock=club_lock,
    own=lambda user, club: club.pk in own_clubs(user),
    told=_club_told,
    taken=_club_taken,
    take=_club_take,
    give=_club_give,
)


# --- tournaments ----------------------------------------------------------------------------------
def title_check(name: str, *, by_house: bool) -> None:
    """Raise `TitleWithdrawn` for a name that moderators took away, or one that looks like it, and
    `NameReserved` for one that looks like the house's own and is not."""
    if not by_house and is_title_reserved(name):
        raise NameReserved("this name is reserved for the house")
    taken = WordsRemoval.objects.exclude(tournament=None).filter(given_back_at=None)
    if taken.filter(name_key=name_key(name)).exists():
        raise TitleWithdrawn("moderators took this name away from a tournament")


def _title_lock(tournament_id: UUID) -> Tournament:
    """A tournament that people named, locked until the transaction ends."""
    found = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament_id).first()
    if found is None:
        raise NoSuchTournament("there is no such tournament")
    if found.founder_id is None:
        raise NamedByTheHouse("the house named this tournament")
    return found


def _is_own(user: User, tournament: Tournament) -> bool:
    """Whether this person holds the tournament, or their club does."""
    return tournament.founder_id == user.pk or tournament.club_id in own_clubs(user)


def _title_told(tournament: Tournament, _user: User) -> dict[str, str]:
    if not tournament.name:
        raise NothingToDecide("the name was taken away already")
    return {"name": tournament.name}


def _title_set(tournament: Tournament, name: str) -> None:
    tournament.name = name
    tournament.save(update_fields=["name"])
    change_tell(tournament, listed=True)


def _title_take(tournament: Tournament, _name: str, _about: str) -> None:
    _title_set(tournament, "")
    founder_mail(tournament)


TOURNAMENT: Final = WordsKind(
    key="tournament",
    outcomes=("nothing", "name"),
    changed=NothingToDecide,
    lock=_title_lock,
    own=_is_own,
    told=_title_told,
    taken=lambda tournament, _outcome: (tournament.name, ""),
    take=_title_take,
    give=lambda tournament, removal: _title_set(tournament, removal.name),
)
