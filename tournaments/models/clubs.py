"""Stored clubs: people who play together, and who directs them."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

_PERSON = settings.AUTH_USER_MODEL


class Club(models.Model):
    """People who play together. An open one can be joined by everybody, others ask first.

    `unnamed`: moderators took its name away, and its directors have not chosen another one yet.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=40)
    about = models.TextField(max_length=1000, blank=True)
    is_open = models.BooleanField(default=True)
    founder = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    founded_at = models.DateTimeField(default=timezone.now)
    unnamed = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("name"), name="club_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class ClubStanding(models.TextChoices):
    """The standing of a person in a club."""

    ASKED = "asked", _("has asked")
    INVITED = "invited", _("is invited")
    MEMBER = "member", _("member")
    DIRECTOR = "director", _("director")


IN = (ClubStanding.MEMBER, ClubStanding.DIRECTOR)


class ClubInvitation(models.Model):
    """An invitation to a club: who sent it to whom, and when the person refused it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="+")
    inviter = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)
    refused_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["inviter", "made_at"], name="club_invitation_sent"),
            models.Index(fields=["person", "made_at"], name="club_invitation_received"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} to club {self.club_id}"


class Membership(models.Model):
    """A person in a club, or on the way into it."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="club_memberships")
    standing = models.CharField(max_length=8, choices=ClubStanding.choices)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="membership_once_a_club"),
            models.CheckConstraint(
                condition=Q(standing__in=ClubStanding.values), name="membership_standing_known"
            ),
        ]
        indexes = [models.Index(fields=["user", "standing"], name="membership_of_person")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.club_id}: {self.standing}"
