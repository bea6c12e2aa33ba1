"""The wallet: what a player has, and every entry that led there, as a page and as a file."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ledger import selectors
from ledger.labels import KIND_LABELS, KindLabel
from ledger.models import Entry

ENTRIES_PER_PAGE = 25
SHORT_ID_LENGTH = 8
CSV_HEADINGS = ("time_utc", "kind", "reference", "amount_cents", "balance_cents")


@dataclass(frozen=True, slots=True)
class WalletRow:
    """One entry as the wallet shows it; `subject` and `subject_id` come from the reference."""

    when: datetime
    label: KindLabel
    amount_cents: int
    balance_cents: int
    subject: str
    subject_id: str

    @property
    def short_id(self) -> str:
        """Enough of the id to tell two references apart."""
        return self.subject_id[:SHORT_ID_LENGTH]


@login_required
@require_safe
def wallet(request: HttpRequest) -> HttpResponse:
    """Show the reader's balance and a page of entries, the newest first."""
    pages = Paginator(selectors.wallet_entries(request.user.pk), ENTRIES_PER_PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(
        request,
        "ledger/wallet.html",
        {
            "balance_cents": selectors.wallet_balance(request.user.pk),
            "frozen": selectors.wallet_is_frozen(request.user.pk),
            "page": page,
            "rows": [_row(entry) for entry in page.object_list],
        },
    )


@login_required
@require_safe
def wallet_csv(request: HttpRequest) -> StreamingHttpResponse:
    """Send all of the reader's entries as comma-separated values, the newest first."""
    writer = csv.writer(_Line())
    entries = selectors.wallet_entries(request.user.pk)
    response = StreamingHttpResponse(
        (writer.writerow(values) for values in _csv_rows(entries.iterator(chunk_size=500))),
        content_type="text/csv; charset=utf-8",
    )
    response["Content-Disposition"] = 'attachment; filename="pasch-wallet.csv"'
    return response


class _Line:
    """A file that hands back what is written to it, so that rows can be streamed one by one."""

    def write(self, text: str) -> str:
        return text


def _csv_rows(entries: Iterator[Entry]) -> Iterator[tuple[str, ...]]:
    """Yield the headings and one row for each entry."""
    yield CSV_HEADINGS
    for entry in entries:
        yield (
            entry.transfer.created_at.isoformat(),
            entry.transfer.kind,
            entry.transfer.reference,
            str(entry.amount_cents),
            str(entry.balance_after_cents),
        )


def _row(entry: Entry) -> WalletRow:
    """Put one entry into the reader's words."""
    subject, _, subject_id = entry.transfer.reference.partition(":")
    return WalletRow(
        when=entry.transfer.created_at,
        label=KIND_LABELS[entry.transfer.kind],
        amount_cents=entry.amount_cents,
        balance_cents=entry.balance_after_cents,
        subject=subject,
        subject_id=subject_id,
    )
