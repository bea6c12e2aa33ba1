"""Inviting into a club: so many in a day, and nobody again who refused.

Locks: the club, then both people by ascending id.
"""

from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.selectors import person_named
from tournaments.errors import (
    InvitationRefused,
    InvitationsTooMany,
    InvitedTooOften,
    NobodyToInvite,
)
from tournaments.models import Club, ClubInvitation, ClubStanding, Membership
from tournaments.services.clubs import club_lock, director_check

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
