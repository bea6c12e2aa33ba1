"""Personal data in the books; all of it stays (`kit/personal_data.py`)."""

from collections.abc import Iterator
from typing import Final

from accounts.models import User
from kit.personal_data import CHUNK_ROWS, ExportPart, PersonalData, Row, part_of, rows_of
from ledger.models import (
    Account,
    Adjustment,
    Clearance,
    Entry,
    Hold,
    JournalEntry,
    Payout,
    PayoutStep,
    PlayLimit,
    PlayPause,
    Voucher,
    Warrant,
    Welcome,
)
from ledger.selectors_player import reason_told

STAFF_NAMED: Final = frozenset({"asked_by", "paid_by", "claimed_by"})
"""Fields of the journal that name a member of staff."""


def _payout_steps(person: User) -> Iterator[Row]:
    """Every step of every payout, with the reason where the player is given one."""
    found = PayoutStep.objects.filter(payout__user=person).select_related("mail").order_by("pk")
    for step in found.iterator(chunk_size=CHUNK_ROWS):
        yield {
            "payout_id": step.payout_id,
            "state": step.state,
            "reason": reason_told(step),
            "created_at": step.created_at,
            "mail_to": step.mail.to if step.mail else None,
            "mail_subject": step.mail.subject if step.mail else None,
            "mail_sent_at": step.mail.sent_at if step.mail else None,
        }


def _journal(person: User) -> Iterator[Row]:
    """The actions of administrators on the person, without the administrators' names."""
    return journal_rows([f"user:{person.pk}"])


def journal_rows(subjects: list[str]) -> Iterator[Row]:
    """The lines of the journal about these subjects (``user:7``), without who wrote them."""
    found = JournalEntry.objects.filter(subject__in=subjects).order_by("pk")
    for row in rows_of(found, "verb subject before after reason created_at"):
        for side in ("before", "after"):
            row[side] = {key: row[side][key] for key in row[side].keys() - STAFF_NAMED}
        yield row


_PARTS: Final = (
    part_of(
        "wallet", Account, by=("owner",), columns="key balance_cents version frozen created_at"
    ),
    part_of(
        "wallet_entries",
        Entry,
        by=("account__owner",),
        columns="transfer_id transfer__kind transfer__reference transfer__memo amount_cents"
        " balance_after_cents transfer__created_at",
        order="account_version",
    ),
    part_of("welcome_credits", Welcome, by=("user",), columns="amount_cents given_at"),
    part_of("ordered_credits", Warrant, by=("user",), columns="kind amount_cents reason made_at"),
    part_of("vouchers", Voucher, by=("redeemed_by",), columns="hint amount_cents redeemed_at"),
    part_of(
        "adjustments",
        Adjustment,
        by=("user",),
        columns="amount_cents reason booked_at",
    ),
    part_of(
        "payouts",
        Payout,
        by=("user",),
        columns="id amount_cents destination note state requested_at not_before approved_at"
        " cancel_asked_at closed_at receipt",
    ),
    part_of(
        "holds",
        Hold,
        by=("user",),
        columns="reference amount_cents reason_class placed_at ends_at released_at release_reason",
        order="placed_at",
    ),
    part_of(
        "cleared_winnings",
        Clearance,
        by=("user",),
        columns="reference cleared_at",
        order="cleared_at",
    ),
    ExportPart("payout_steps", _payout_steps, frozenset()),
    part_of(
        "limits",
        PlayLimit,
        by=("user",),
        columns="measure period amount_cents next_amount_cents next_from",
    ),
    part_of("breaks_and_exclusions", PlayPause, by=("user",), columns="kind starts_at ends_at"),
    ExportPart("decisions_about_the_account", _journal, frozenset()),
)

_BOOKS: Final = "the books are never changed; they have the number of the account and no name"
_PROTECTS: Final = "an exclusion holds for other accounts of the mailbox, and the audit checks both"

PERSONAL_DATA: Final = PersonalData(
    parts=_PARTS,
    kept={
        **{
            f"ledger.{field}": _BOOKS
            for field in (
                "Account.owner",
                "Adjustment.user",
                "Clearance.user",
                "Hold.user",
                "Payout.user",
                "Voucher.redeemed_by",
                "Warrant.user",
                "Welcome.user",
            )
        },
        "ledger.PlayLimit.user": _PROTECTS,
        "ledger.PlayPause.user": _PROTECTS,
    },
    of_staff=tuple(
        f"ledger.{field}"
        for field in (
            "Adjustment.confirmed_by",
            "Adjustment.proposed_by",
            "JournalEntry.actor",
            "Payout.approved_by",
            "Payout.claimed_by",
            "Payout.closed_by",
            "PayoutStep.actor",
            "Proposal.decided_by",
            "Proposal.proposed_by",
            "StakesStop.actor",
            "Transfer.actor",
            "Transfer.approver",
            "Voucher.confirmed_by",
            "Voucher.made_by",
            "Voucher.revoked_by",
            "Warrant.actor",
        )
    ),
)
