"""The books in Django's administration: to look at, never to change."""

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.admin_site import Shown
from ledger.models import (
    Account,
    Adjustment,
    AuditRun,
    JournalEntry,
    Payout,
    PlayLimit,
    PlayPause,
    Seal,
    StakesStop,
    Transfer,
    Voucher,
)


@admin.register(Account)
class AccountAdmin(Shown):
    """Accounts; the balance of a summed one is on the page of the audit."""

    list_display = ("key", "kind", "bounded", "balance_cents", "version", "frozen")
    list_filter = ("kind", "frozen")
    search_fields = ("key",)
    show_full_result_count = False


@admin.register(Transfer)
class TransferAdmin(Shown):
    """Transfers with their lines."""

    list_display = ("id", "kind", "key", "reference", "created_at")
    list_filter = ("kind",)
    search_fields = ("key", "reference")
    show_full_result_count = False
    exclude = ("digest",)
    readonly_fields = ("digest_hex", "lines")

    @admin.display(description="digest")
    def digest_hex(self, transfer: Transfer) -> str:
        """SHA-256 of kind, reference and lines."""
        return bytes(transfer.digest).hex()

    @admin.display(description="lines")
    def lines(self, transfer: Transfer) -> SafeString:
        """Account, amount and running balance of every line."""
        rows = transfer.entries.order_by("line").values_list(
            "account__key", "amount_cents", "balance_after_cents"
        )
        cells = format_html_join("", "<tr><td>{}</td><td>{}</td><td>{}</td></tr>", rows)
        return format_html("<table>{}</table>", cells)


@admin.register(Payout)
class PayoutAdmin(Shown):
    """Payouts; they are decided at the desk."""

    list_display = ("id", "user", "amount_cents", "state", "requested_at", "approved_by")
    list_filter = ("state",)


@admin.register(Voucher)
class VoucherAdmin(Shown):
    """Vouchers without their codes."""

    list_display = (
        "id",
        "hint",
        "amount_cents",
        "note",
        "made_by",
        "confirmed_by",
        "redeemed_by",
        "revoked_by",
    )
    exclude = ("code_digest",)


@admin.register(Adjustment)
class AdjustmentAdmin(Shown):
    """Adjustments by hand."""

    list_display = ("id", "user", "amount_cents", "reason", "proposed_by", "confirmed_by")


@admin.register(JournalEntry)
class JournalAdmin(Shown):
    """The journal of the administrators."""

    list_display = ("id", "created_at", "actor", "verb", "subject", "reason")
    list_filter = ("verb",)
    search_fields = ("subject",)


@admin.register(Seal)
class SealAdmin(Shown):
    """Seals, the roots as text."""

    list_display = ("stream", "number", "from_id", "to_id", "row_count", "created_at")
    list_filter = ("stream",)
    exclude = ("previous_root", "root")
    readonly_fields = ("root_hex",)

    @admin.display(description="root")
    def root_hex(self, seal: Seal) -> str:
        """The root as in the anchor."""
        return bytes(seal.root).hex()


admin.site.register([AuditRun, PlayLimit, PlayPause, StakesStop])
