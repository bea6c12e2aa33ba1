"""The wallet: what a player has, every entry that led there, a year at a glance, a voucher."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger import selectors
from ledger.errors import LedgerError
from ledger.forms import EntryFilterForm, VoucherForm
from ledger.labels import KIND_LABELS, KindLabel, label_of
from ledger.models import Entry
from ledger.postings import KIND_RULES
from ledger.selectors_desk import pause_shown
from ledger.selectors_player import (
    payable,
    payouts_open_cents,
    promo_terms,
    statement_years,
    year_statement,
)
from ledger.services.vouchers import voucher_redeem
from ledger.templatetags.credits import credits_text

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
        """Enough of the id to distinguish two references."""
        return self.subject_id[:SHORT_ID_LENGTH]


@login_required
@require_safe
def wallet(request: SignedInRequest) -> HttpResponse:
    """Show the reader's balance and a page of the chosen entries, newest first."""
    user_id = request.user.pk
    asked = EntryFilterForm(request.GET)
    entries = selectors.wallet_entries(user_id, **asked.chosen)
    chosen = entries if asked.is_valid() else entries.none()
    page = selectors.WALLET.page(request.GET, ENTRIES_PER_PAGE, chosen)
    context = {
        "payable": payable(user_id),
        "terms": promo_terms(),
        "payouts_open_cents": payouts_open_cents(user_id),
        "frozen": selectors.wallet_is_frozen(user_id),
        **pause_shown(user_id),
        "filter": asked,
        "filtered": bool(asked.chosen) or not asked.is_valid(),
        "plain": not asked.fields.keys() & request.GET.keys(),
        "page": page,
        "rows": [_row(entry) for entry in page],
        "years": statement_years(user_id)[::-1],
    }
    return render(request, "ledger/wallet.html", context)


@login_required
@require_safe
def wallet_csv(request: SignedInRequest) -> HttpResponseBase:
    """Send the chosen entries as comma-separated values, newest first."""
    asked = EntryFilterForm(request.GET)
    if not asked.is_valid():
        return HttpResponse(asked.errors.as_text(), status=400, content_type="text/plain")
    writer = csv.writer(_Line())
    entries = selectors.wallet_entries(request.user.pk, **asked.chosen)
    response = StreamingHttpResponse(
        (writer.writerow(values) for values in _csv_rows(entries.iterator(chunk_size=500))),
        content_type="text/csv; charset=utf-8",
    )
    response["Content-Disposition"] = 'attachment; filename="pasch-wallet.csv"'
    return response


@login_required
@require_safe
def wallet_statement(request: SignedInRequest, year: int) -> HttpResponse:
    """Show a year of the reader's wallet on a page that can be printed."""
    years = statement_years(request.user.pk)
    if year not in years:
        raise Http404
    statement = year_statement(request.user.pk, year)
    kinds = [kind for kind in KIND_RULES if kind in statement.by_kind]
    context = {
        "year": year,
        "years": years[::-1],
        "statement": statement,
        "lines": [(KIND_LABELS[kind], statement.by_kind[kind]) for kind in kinds],
    }
    return render(request, "ledger/statement.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def wallet_voucher(request: SignedInRequest) -> HttpResponse:
    """Redeem a voucher and return to the wallet, or show why not."""
    form = VoucherForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            posted = voucher_redeem(user=request.user, code=form.cleaned_data["code"])
        except LedgerError as error:
            form.add_error("code", sentence(error))
        else:
            entry = selectors.wallet_entries(request.user.pk).get(transfer=posted.transfer_id)
            text = _("The voucher brought you %(amount)s.")
            if posted.replayed:
                text = _("You had redeemed this voucher before: %(amount)s.")
            messages.success(request, text % {"amount": credits_text(entry.amount_cents)})
            return redirect("wallet")
    return render(request, "ledger/voucher.html", {"form": form})


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
    assert entry.balance_after_cents is not None, "only accounts of the house keep no balance"
    subject, _colon, subject_id = entry.transfer.reference.partition(":")
    return WalletRow(
        when=entry.transfer.created_at,
        label=label_of(entry.transfer.kind, subject),
        amount_cents=entry.amount_cents,
        balance_cents=entry.balance_after_cents,
        subject=subject,
        subject_id=subject_id,
    )
