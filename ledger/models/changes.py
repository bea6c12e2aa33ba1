"""The log of changes: each version of each row that decides about credits."""

from django.db import models
from django.db.models.functions import Now

from ledger.models.credits import SESSION_USER


class Change(models.Model):
    """One version of a row of a watched table; `content` is None when the row was deleted.

    Written by a trigger of the watched tables alone (ledger/migrations/sql/watched.sql),
    append-only, sealed.
    """

    table_name = models.CharField(max_length=63)
    row_key = models.CharField(max_length=100)
    content = models.JSONField(null=True)
    by_role = models.CharField(max_length=63, db_default=SESSION_USER)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["table_name", "row_key", "-id"], name="change_of_a_row"),
            models.Index(fields=["made_at"], name="change_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.table_name} {self.row_key}"
