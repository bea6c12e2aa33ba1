"""Tables whose matches are contested: their events stay in rows until that is over."""

from collections.abc import Collection
from uuid import UUID

from fairplay.models import CaseMatch, Complaint


def tables_contested(table_ids: Collection[UUID]) -> set[UUID]:
    """Those of these tables with a match in an open case, or in a report nobody has decided."""
    cases = CaseMatch.objects.filter(match__table__in=table_ids, case__closed_at__isnull=True)
    reports = Complaint.objects.filter(match__table__in=table_ids, outcome="")
    found: set[UUID] = set()
    for rows in (cases, reports):
        found.update(rows.values_list("match__table", flat=True))
    return found
