"""A22: no stream is left out when the books are sealed.

Sealing may be late as a whole (no worker ran): that is no finding. A row that waits while other
rows of its age have their seal is one.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db import connection
from django.db.models import Max

from ledger.audit import Finding, register
from ledger.models import Seal

SLACK: Final = timedelta(minutes=2)
"""A seal waits some seconds for transactions that were under way; none takes as long as this."""

#: when a row of each stream was stored: the column of its table.
_STORED: Final = {
    "transfer": "created_at",
    "journal": "created_at",
    "change": "made_at",
    "event": "stored_at",
    "roll": "rolled_at",
    "opening": "logged_at",
    "rating": "created",
    "audit": "started_at",
}


def register_unsealed() -> None:
    """Register the check; it asks for unsealed rows alone, so a recent audit makes it whole."""
    register(
        "A22", "No rows wait for a seal that later ones have", _left_out, lambda _: _left_out()
    )


def _left_out() -> Iterator[Finding]:
    last = Seal.objects.aggregate(last=Max("created_at"))["last"]
    if last is None:
        return
    for stream, stored in _STORED.items():
        count, first = _waiting(stream, stored, last - SLACK)
        if count:
            yield Finding(
                f"stream {stream}",
                f"{count} rows since {first:%Y-%m-%d %H:%M:%S} have no seal; the last is of {last}",
            )


def _waiting(stream: str, stored: str, before: object) -> tuple[int, object]:
    """How many rows of a stream that are older than this have no seal, and the first of them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relation::text, key FROM ledger_stream_table(%s)", [stream])
        relation, key = cursor.fetchone()
        cursor.execute(
            f"SELECT count(*), min({stored}) FROM {relation} WHERE {stored} < %s AND {key} >"
            " (SELECT coalesce(max(to_id), 0) FROM ledger_seal WHERE stream = %s)",
            [before, stream],
        )
        found: tuple[int, object] = cursor.fetchone()
    return found
