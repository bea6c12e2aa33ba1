"""Decisions about people that take effect later: roles that are given, identities that are changed.

A row is written when a decision is requested. It takes effect when a second administrator confirms
it, or when its time has come; until then any administrator can stop it. Rows are never deleted, and
only go forward: a trigger of the database holds that (accounts/migrations).
"""

from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

_PERSON: Final = settings.AUTH_USER_MODEL
_ROLES: Final = ("moderator", "treasurer", "administrator")

WAITING: Final = Q(effective_at=None, ended_at=None)
IN_FORCE: Final = Q(effective_at__isnull=False, ended_at=None)


class StaffDecision(models.Model):
    """A decision of one person about another, from the request to its end.

    `asked_by` is None for what the operator did in the shell of the house: that is in force at
    once. `effective_from` is the earliest moment without a second person, `effective_at` when it
    took effect, `ended_at` when it was stopped, lapsed, or was taken back.
    """

    person = models.ForeignKey(_PERSON, models.PROTECT, related_name="+")
    reason = models.CharField(max_length=500)
    asked_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    asked_at = models.DateTimeField(db_default=Now())
    effective_from = models.DateTimeField()
    confirmed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    confirmed_at = models.DateTimeField(null=True)
    effective_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True)
    end_reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        abstract = True
        constraints: ClassVar[tuple[models.BaseConstraint, ...]] = (
            models.CheckConstraint(
                condition=Q(asked_by=None) | ~Q(asked_by=F("person")),
                name="%(class)s_not_oneself",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by=None, confirmed_at=None)
                | (
                    Q(
                        confirmed_by__isnull=False,
                        confirmed_at__isnull=False,
                        asked_by__isnull=False,
                    )
                    & ~Q(confirmed_by=F("asked_by"))
                    & ~Q(confirmed_by=F("person"))
                ),
                name="%(class)s_second_person",
            ),
            models.CheckConstraint(
                condition=Q(effective_at=None)
                | Q(confirmed_by__isnull=False)
                | Q(effective_at__gte=F("effective_from")),
                name="%(class)s_not_before",
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="%(class)s_says_why"),
        )

    def __str__(self) -> str:
        return f"{self._meta.model_name}:{self.pk}"

    @property
    def waits(self) -> bool:
        """Whether it can still be confirmed or stopped."""
        return self.effective_at is None and self.ended_at is None


class RoleGrant(StaffDecision):
    """A role that a person has, had, or waits for. `ended_at`: it was stopped or taken."""

    role = models.CharField(max_length=20)

    class Meta(StaffDecision.Meta):
        constraints = (
            *StaffDecision.Meta.constraints,
            models.CheckConstraint(condition=Q(role__in=_ROLES), name="rolegrant_is_one"),
            models.UniqueConstraint(
                fields=["person"], condition=WAITING, name="rolegrant_waits_once"
            ),
            models.UniqueConstraint(
                fields=["person"], condition=IN_FORCE, name="rolegrant_in_force_once"
            ),
        )


class IdentityKind(models.TextChoices):
    """The changes that the desk can make to another person's account."""

    ADDRESS = "address", _("Set another mail address")
    VERIFY = "verify", _("Mark the mail address as verified")
    NO_ADDRESS = "no_address", _("Remove the mail address")
    FACTORS = "factors", _("Remove the second factors")
    NAME = "name", _("Change the name")
    BOT = "bot", _("Convert to a bot account")
    NO_BOT = "no_bot", _("Make it a person's account again")
    CLOSE = "close", _("Close the account")
    REOPEN = "reopen", _("Open the account again")


TAKES_OVER: Final = (
    IdentityKind.ADDRESS,
    IdentityKind.VERIFY,
    IdentityKind.NO_ADDRESS,
    IdentityKind.FACTORS,
)
"""Changes that would let their author log in as the person."""


class IdentityChange(StaffDecision):
    """A change of an account by another person. `value`: the new address or name, else empty."""

    kind = models.CharField(max_length=12, choices=IdentityKind.choices)
    value = models.CharField(max_length=254, blank=True, default="")

    class Meta(StaffDecision.Meta):
        permissions = (("decide_identity", "May change addresses, second factors and names"),)
        constraints = (
            *StaffDecision.Meta.constraints,
            models.CheckConstraint(
                condition=Q(kind__in=IdentityKind.values, asked_by__isnull=False),
                name="identitychange_is_one",
            ),
            models.CheckConstraint(
                condition=Q(effective_at=None) | Q(ended_at=None),
                name="identitychange_done_or_stopped",
            ),
            models.UniqueConstraint(
                fields=["person", "kind"], condition=WAITING, name="identitychange_waits_once"
            ),
        )
