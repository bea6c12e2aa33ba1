"""The names that accounts had before, which nobody else ever gets.

A row is written in the transaction that changes the name (`accounts.services.name_set`). Links with
the old name lead on to the account.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now

from accounts.names import MAX_LENGTH

_PERSON: Final = settings.AUTH_USER_MODEL


class PastName(models.Model):
    """A name that an account gave up; `key` is its skeleton. `own`: changed by the owner."""

    user = models.ForeignKey(_PERSON, on_delete=models.PROTECT, related_name="past_names")
    name = models.CharField(max_length=MAX_LENGTH)
    key = models.CharField(max_length=4 * MAX_LENGTH)
    own = models.BooleanField()
    changed_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = (
            models.Index(fields=["key"], name="past_name_by_key"),
            models.Index(Lower("name"), name="past_name_in_any_case"),
        )

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


def is_kept(key: str, *, user_id: int | None = None) -> bool:
    """Whether a name with this skeleton was another account's before."""
    return PastName.objects.filter(key=key).exclude(user=user_id).exists()
