"""Words of clubs and of tournaments: reporting them, taking them away, giving them back.

A name that was taken from a tournament is empty in the row, and every page shows a neutral one
(`name_of`); a club gets one. Locks: the club or tournament first, then the
journal.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.mails import full_address, mail_enqueue
from accounts.models import User
from accounts.names import is_title_reserved
from games.decisions import journal_record
from games.forms.names import VARIANT_NAMES
from games.models import WordsReport
from games.services.moderation import NothingToDecide, Subject, WordsKind, judged, report_store
from house.reader import house_now
from tournaments.errors import (
    ClubChanged,
    ClubNameTaken,
    ClubWordsWithdrawn,
    NamedByTheHouse,
    NameReserved,
    NoSuchTournament,
    TitleWithdrawn,
)
from tournaments.models import IN, Club, ClubStanding, Membership, Tournament, WordsRemoval
from tournaments.offers import BY_KEY
from tournaments.services.clubs import (
    club_lock,
    director_check,
    name_checked,
    name_key,
    person_check,
)
from tournaments.services.store import change_tell, table_terms_of, terms_of
from tournaments.visibility import is_seen

FORMATS: Final = {
    "knockout": gettext_lazy("Knock-out"),
    "consolation": gettext_lazy("Knock-out with consolation"),
    "double": gettext_lazy("Double elimination"),
    "lives": gettext_lazy("Swiss by lives"),
    "swiss": gettext_lazy("Swiss by rounds"),
    "robin": gettext_lazy("Round robin"),
    "arena": gettext_lazy("Arena"),
}


def name_of(tournament: Tournament) -> str:
    """The name; that of an offer of the house is translated."""
    return _(tournament.name) if tournament.offer in BY_KEY else title_of(tournament)


def title_of(tournament: Tournament) -> str:
    """The name as it was given, or a neutral one in the reader's language."""
    return tournament.name or neutral_name(tournament)


def neutral_name(tournament: Tournament) -> str:
    """A name of format and game, which nobody has chosen: "Knock-out, Backgammon"."""
    variant = VARIANT_NAMES[table_terms_of(tournament).variant]
    return f"{FORMATS[terms_of(tournament).format]}, {variant}"


def directors_mail(club: Club, *, name: str, about: str) -> None:
    """Put a mail into the outbox for every director with an address: what was taken away."""
    directs = User.objects.filter(
        club_memberships__club=club,
        club_memberships__standing=ClubStanding.DIRECTOR,
        is_active=True,
    )
    for person in directs.exclude(email=""):
        with translation.override(house_now().language(person.language)):
            mail_enqueue(
                to=person.email,
                subject=_("Your club %(name)s") % {"name": club.name},
                body=_body(club, person, name, about),
                about=f"club:{club.pk}",
            )


def _body(club: Club, person: User, name: str, about: str) -> str:
    lines = [_("Hello %(name)s,") % {"name": person.get_username()}]
    if name:
        lines.append(
            _("The moderators took away the name of your club. It is called %(name)s for now.")
            % {"name": club.name}
        )
    if about:
        lines.append(_("The moderators took away the description of your club."))
    place = full_address(reverse("club_edit", args=[club.pk]))
    lines.append(_("Log in to write something else: %(place)s") % {"place": place})
    return "\n\n".join(lines) + "\n"


def founder_mail(tournament: Tournament) -> None:
    """Put a mail into the outbox for a founder with an address: the name was taken away."""
    founder = tournament.founder
    if founder is None or not founder.is_active or not founder.email:
        return
    with translation.override(house_now().language(founder.language)):
        name = neutral_name(tournament)
        lines = [
            _("Hello %(name)s,") % {"name": founder.get_username()},
            _("The moderators took away the name of your tournament. It is called %(name)s now.")
            % {"name": name},
            _("Nothing else changes. The tournament: %(place)s")
            % {"place": full_address(reverse("tournament", args=[tournament.pk]))},
        ]
        mail_enqueue(
            to=founder.email,
            subject=_("Your tournament %(name)s") % {"name": name},
            body="\n\n".join(lines) + "\n",
            about=tournament.reference,
        )


#: why a name or a description may be reported: those reasons of chats that fit it
REASONS: Final = ("insult", "threat", "spam", "other")

REPORTS_A_DAY_MAX: Final = 5


def reports_of(subject: Subject) -> QuerySet[WordsReport]:
    """All reports of the words of a club or a tournament."""
    kind = subject._meta.model_name
    return WordsReport.objects.filter(kind=kind, subject=f"{kind}:{subject.pk}")


def words_report(
    kind: WordsKind, *, user: User, subject_id: UUID, reason: str, words: str = ""
) -> WordsReport:
    """Report the words of a club or a tournament; reporting them twice makes one complaint.

    Raises `NoSuchClub`, `NoSuchTournament`, `NamedByTheHouse`, `GuestsPlayFree`, `TooManyReports`,
    `NothingToDecide` where the name is gone already, `BadTerms`, `BadText`.
    """
    person_check(user)
    with transaction.atomic():
        subject = kind.lock(subject_id)
        if not subject.name:
            raise NothingToDecide("the name was taken away already")
        reference = kind.reference(subject)
        about = subject.about if kind is CLUB and is_seen(subject, user.pk) else ""
        kept = {"subject": reference, "said": subject.name, "about": about}
        known = Q(subject=reference, outcome="")
        return report_store(
            kind, user_id=user.pk, reason=reason, words=words, known=known, kept=kept
        )


def words_restore(kind: WordsKind, *, actor: User, removal_id: int, reason: str) -> Subject:
    """Give back what was taken; what a club has chosen since stays.

    Raises `MayNotDecide`, `ReasonMissing`, `NothingToDecide`, `ClubNameTaken`.
    """
    try:
        with transaction.atomic(durable=True):
            removals = WordsRemoval.objects.filter(pk=removal_id)
            subject_id = removals.values_list(f"{kind.key}_id", flat=True).get()
            subject = judged(kind, subject_id, actor, reason)
            removal = removals.get()
            if removal.given_back_at is not None:
                raise NothingToDecide("this was given back already")
            before = kind.facts(subject)
            removal.given_back_at = timezone.now()
            removal.save(update_fields=["given_back_at"])
            _GIVE[kind.key](subject, removal)
            journal_record(
                actor=actor,
                verb=f"{kind.key}.restore",
                subject=kind.reference(subject),
                before=before,
                after=kind.facts(subject),
                reason=reason.strip(),
            )
            return subject
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def _removed(subject: Subject, actor: User, *, name: str, about: str = "") -> None:
    """Keep what is taken away. Raises `NothingToDecide` where nothing is left of it."""
    if not name and not about:
        raise NothingToDecide("this was taken away already")
    subject.removals.create(
        name=name, name_key=name_key(name) if name else "", about=about, taken_by=actor
    )


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


def _club_take(club: Club, actor: User, outcome: str) -> None:
    name = club.name if outcome in ("name", "both") and not club.unnamed else ""
    about = club.about if outcome in ("about", "both") else ""
    _removed(club, actor, name=name, about=about)
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
    verb="club.words",
    reference=lambda club: f"club:{club.pk}",
    reasons=REASONS,
    outcomes=("nothing", "name", "about", "both"),
    a_day_max=REPORTS_A_DAY_MAX,
    lock=club_lock,
    reports=reports_of,
    own=lambda user, club: club.pk in own_clubs(user),
    facts=lambda club: {"name": club.name, "about": club.about},
    carry_out=_club_take,
    changed=ClubChanged,
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


def _title_set(tournament: Tournament, name: str) -> None:
    tournament.name = name
    tournament.save(update_fields=["name"])
    change_tell(tournament, listed=True)


def _title_take(tournament: Tournament, actor: User, _outcome: str) -> None:
    _removed(tournament, actor, name=tournament.name)
    _title_set(tournament, "")
    founder_mail(tournament)


TOURNAMENT: Final = WordsKind(
    key="tournament",
    verb="tournament.words",
    reference=lambda tournament: f"tournament:{tournament.pk}",
    reasons=REASONS,
    outcomes=("nothing", "name"),
    a_day_max=REPORTS_A_DAY_MAX,
    lock=_title_lock,
    reports=reports_of,
    own=_is_own,
    facts=lambda tournament: {"name": tournament.name},
    carry_out=_title_take,
    changed=NothingToDecide,
)

_GIVE: Final[Mapping[str, Callable[[Any, WordsRemoval], None]]] = {
    CLUB.key: _club_give,
    TOURNAMENT.key: lambda tournament, removal: _title_set(tournament, removal.name),
}
