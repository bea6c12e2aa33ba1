"""Clubs: founding one, inviting, coming in and going, and who directs it.

So many are invited in a day, and nobody again who refused.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.names import is_title_reserved, skeleton
from accounts.selectors import person_named
from games.services.guests import GuestsPlayFree
from games.table.errors import BadTerms
from tournaments.errors import (
    ClubNameTaken,
    ClubsTooMany,
    ClubWordsWithdrawn,
    FounderStays,
    InvitationRefused,
    InvitationsTooMany,
    InvitedTooOften,
    LastDirector,
    NameReserved,
    NobodyToInvite,
    NoSuchClub,
    NotDirector,
)
from tournaments.models import IN, Club, ClubInvitation, ClubStanding, Membership, WordsRemoval

FOUNDED_MOST: Final = 3
NAME_LEAST: Final = 3
#: of `WordsRemoval.name_key`; some signs stand for a dozen letters
KEY_LONGEST: Final = 160


def club_found(*, user: User, name: str, about: str = "", is_open: bool = True) -> Club:
    """Found a club; the founder directs it.

    Raises `ClubNameTaken`, `ClubWordsWithdrawn`, `ClubsTooMany`, `BadTerms`.
    """
    person_check(user)
    try:
        with transaction.atomic():
            name = name_checked(name)
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            if Club.objects.filter(founder=user).count() >= FOUNDED_MOST:
                raise ClubsTooMany(f"nobody founds more than {FOUNDED_MOST} clubs")
            club = Club.objects.create(name=name, about=about, is_open=is_open, founder=user)
            Membership.objects.create(club=club, user=user, standing=ClubStanding.DIRECTOR)
            name_checked(name)  # it may have been taken away since, which made it free
            return club
    except IntegrityError as error:
        raise ClubNameTaken("another club has this name") from error


def club_join(*, user: User, club_id: UUID) -> Membership:
    """Join an open club or one that has invited; ask a closed one. Safe to repeat.

    An earlier refusal of its invitations counts no more. Raises `NoSuchClub`, and
    `GuestsPlayFree` for guests.
    """
    person_check(user)
    with transaction.atomic():
        club = club_lock(club_id)
        ClubInvitation.objects.filter(club=club, person=user).update(refused_at=None)
        found = Membership.objects.filter(club=club, user=user).first()
        standing = ClubStanding.MEMBER if club.is_open else ClubStanding.ASKED
        if found is None:
            return Membership.objects.create(club=club, user=user, standing=standing)
        if found.standing == ClubStanding.INVITED or (
            found.standing == ClubStanding.ASKED and club.is_open
        ):
            found.standing = ClubStanding.MEMBER
            found.save(update_fields=["standing"])
        return found


def club_leave(*, user: User, club_id: UUID) -> None:
    """Leave a club, take a request back, or refuse an invitation: the club sends no other one.

    Raises `NoSuchClub`, and `LastDirector` while there are other members.
    """
    with transaction.atomic():
        club = club_lock(club_id)
        _keeps_a_director(club, user.pk)
        mine = Membership.objects.filter(club=club, user=user)
        if mine.filter(standing=ClubStanding.INVITED).exists():
            now = timezone.now()
            ClubInvitation.objects.filter(club=club, person=user).update(refused_at=now)
        mine.delete()


def member_set(*, director: User, club_id: UUID, user_id: int, standing: str) -> None:
    """Make somebody a member or a director, or ("") take them out; a request is answered so, too.

    Raises `NoSuchClub`, `NotDirector`, `LastDirector`, and `FounderStays`: only the founder can
    decide to direct the club no more, or to leave it.
    """
    with transaction.atomic():
        club = club_lock(club_id)
        director_check(club, director.pk)
        found = Membership.objects.filter(club=club, user=user_id).first()
        if found is None:
            return
        if standing != ClubStanding.DIRECTOR:
            if user_id == club.founder_id != director.pk and found.standing in IN:
                raise FounderStays("nobody takes the founder out of a club")
            _keeps_a_director(club, user_id)
        if not standing:
            found.delete()
        elif found.standing != ClubStanding.INVITED:  # an invitation is the other one's to accept
            found.standing = ClubStanding(standing)
            found.save(update_fields=["standing"])


def director_check(club: Club, user_id: int) -> None:
    """Do nothing for a director of the club; raises `NotDirector`."""
    if not Membership.objects.filter(
        club=club, user=user_id, standing=ClubStanding.DIRECTOR
    ).exists():
        raise NotDirector("only a director of the club may do this")


def is_member(club_id: UUID | None, user_id: int) -> bool:
    """Whether this person is a member or a director of the club."""
    return Membership.objects.filter(club=club_id, user=user_id, standing__in=IN).exists()


def name_checked(name: str) -> str:
    """The spelling of a club's name that is stored. Raises `BadTerms`, `NameReserved`,
    `ClubWordsWithdrawn`."""
    name = " ".join(name.split())
    if len(name) < NAME_LEAST or not name.isprintable():
        raise BadTerms(f"a club's name has {NAME_LEAST} characters or more", field="name")
    if is_title_reserved(name):
        raise NameReserved("this name is reserved for the house")
    kept = WordsRemoval.objects.exclude(club=None).filter(given_back_at=None, name__gt="")
    if kept.filter(name_key=name_key(name)).exists():
        raise ClubWordsWithdrawn("moderators took this name away from a club")
    return name


def name_key(name: str) -> str:
    """The part of a club's name that counts: no capitals, accents, spaces, signs, shapes alike."""
    return ("".join(filter(str.isalnum, skeleton(name))) or name.casefold())[:KEY_LONGEST]


def person_check(user: User) -> None:
    """Raise `GuestsPlayFree` for a guest."""
    if user.is_guest:
        raise GuestsPlayFree("clubs are for people with an account")


def _keeps_a_director(club: Club, user_id: int) -> None:
    members = Membership.objects.filter(club=club, standing__in=IN)
    directs = members.filter(user=user_id, standing=ClubStanding.DIRECTOR).exists()
    others = members.exclude(user=user_id)
    if directs and others.exists() and not others.filter(standing=ClubStanding.DIRECTOR).exists():
        raise LastDirector("make another member a director first")


def club_lock(club_id: UUID) -> Club:
    """The club, locked until the transaction ends. Raises `NoSuchClub`."""
    club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
    if club is None:
        raise NoSuchClub("there is no such club")
    return club


#: a person sends so many invitations in a day, to all of their clubs together
SENT_A_DAY_MAX: Final = 20
#: a person receives so many invitations in a day, from all clubs together
RECEIVED_A_DAY_MAX: Final = 5
#: and has so many without an answer
UNANSWERED_MAX: Final = 10


def member_invite(*, director: User, club_id: UUID, name: str) -> Membership:
    """Invite a player by name; one who has asked is in. Safe to repeat.

    Raises `NoSuchClub`, `NotDirector`, `BadTerms` where there is no such player,
    `InvitationRefused`, `InvitationsTooMany`, `InvitedTooOften`.
    """
    with transaction.atomic():
        club = club_lock(club_id)
        director_check(club, director.pk)
        person = person_named(name)
        if person is None or person.is_bot or person.is_guest:
            raise NobodyToInvite("there is no such player", field="name")
        found = Membership.objects.filter(club=club, user=person).first()
        if found is None:
            _invitation_make(club, director, person)
            return Membership.objects.create(club=club, user=person, standing=ClubStanding.INVITED)
        if found.standing == ClubStanding.ASKED:
            found.standing = ClubStanding.MEMBER
            found.save(update_fields=["standing"])
        return found


def _invitation_make(club: Club, inviter: User, person: User) -> None:
    people = User.objects.select_for_update(no_key=True).filter(pk__in=(inviter.pk, person.pk))
    list(people.order_by("pk"))
    sent = ClubInvitation.objects.filter(made_at__gt=timezone.now() - timedelta(days=1))
    received = ClubInvitation.objects.filter(person=person)
    if received.filter(club=club, refused_at__isnull=False).exists():
        raise InvitationRefused("this player has refused an invitation to this club")
    if sent.filter(inviter=inviter).count() >= SENT_A_DAY_MAX:
        raise InvitationsTooMany(f"a person sends {SENT_A_DAY_MAX} invitations in a day at most")
    waiting = Membership.objects.filter(user=person, standing=ClubStanding.INVITED).count()
    if sent.filter(person=person).count() >= RECEIVED_A_DAY_MAX or waiting >= UNANSWERED_MAX:
        raise InvitedTooOften("this player has enough invitations at the moment")
    ClubInvitation.objects.create(club=club, inviter=inviter, person=person)
