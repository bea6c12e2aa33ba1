"""A22: no stream is left out when the books are sealed.

Sealing may be late as a whole (no worker ran): that is no finding. A row that waits while other
rows of its age have their seal is one.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Max

from ledger.audit import AuditFinding, register
from ledger.models import Seal
from ledger.streams import Stream, streams

SLACK: Final = timedelta(minutes=2)
"""A seal waits some seconds for transactions that were under way; none takes as long as this."""


def register_unsealed() -> None:
    """Register the check; it reads only unsealed rows, so a recent audit runs it in full."""
    register(
        "A22", "No rows wait for a seal that later ones have", _left_out, lambda _: _left_out()
    )


def _left_out() -> Iterator[AuditFinding]:
    last = Seal.objects.aggregate(last=Max("created_at"))["last"]
    if last is None:
        return
    for stream in streams():
        count, first = rows_unsealed(stream, last - SLACK)
        if count:
            yield AuditFinding(
                f"stream {stream.name}",
                f"{count} rows since {first:%Y-%m-%d %H:%M:%S} have no seal; the last is of {last}",
            )


def rows_unsealed(stream: Stream, before: datetime) -> tuple[int, object]:
    """How many rows of a stream that are older than this have no seal, and the first of them."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*), min({stream.stored}) FROM {stream.table}"
            f" WHERE {stream.stored} < %s AND {stream.key} >"
            " (SELECT coalesce(max(to_id), 0) FROM ledger_seal WHERE stream = %s)",
            [before, stream.name],
        )
        found: tuple[int, object] = cursor.fetchone()
    return found
