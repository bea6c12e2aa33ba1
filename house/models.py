"""The rows of a house's settings: each change stays, and the newest of a part counts."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

_PERSON: Final = settings.AUTH_USER_MODEL


class HouseChange(models.Model):
    """A content that a part of the house's settings got, from whom, when and why.

    `number` counts all changes without a gap. Without `changed_by` somebody at the server made it,
    as the owner of the database. A part that takes two people has the proposal and the one who
    confirmed it; `ledger/migrations/sql/house.sql` compares them. Rows are never changed and never
    deleted.
    """

    number = models.PositiveIntegerField(primary_key=True)
    part = models.CharField(max_length=16)
    content = models.JSONField()
    proposal_id = models.BigIntegerField(null=True, unique=True)
    changed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    confirmed_by = models.ForeignKey(_PERSON, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=500)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        permissions = [("decide_house", "May change the settings of the house")]
        default_permissions = ()
        indexes = [models.Index("part", F("number").desc(), name="house_change_newest")]
        constraints = [
            models.CheckConstraint(
                condition=Q(proposal_id=None, confirmed_by=None)
                | Q(
                    proposal_id__isnull=False,
                    changed_by__isnull=False,
                    confirmed_by__isnull=False,
                ),
                name="house_change_by_two_people",
            ),
            models.CheckConstraint(
                condition=~Q(changed_by=F("confirmed_by")), name="house_change_different_people"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="house_change_says_why"),
        ]

    def __str__(self) -> str:
        return f"change {self.number} of the house: {self.part}"
