"""The pages and words of the books at the desk."""

from typing import Final

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from ledger.desk.registry import (
    DeskPart,
    Group,
    Lines,
    MenuPage,
    Pile,
    ProposalWords,
    subject,
    values_named,
)
from ledger.models import PayoutState, Proposal, ProposalState
from ledger.payout_states import JOURNAL as PAYOUT_JOURNAL
from ledger.selectors_desk import payouts_waiting, proposals_waiting
from ledger.services.adjustments import KIND as ADJUSTMENT
from ledger.services.vouchers import KIND as VOUCHERS
from ledger.templatetags.credits import credits_change, credits_text


def _voucher_lines(proposal: Proposal) -> Lines:
    content = proposal.content
    each_cents, count = content["amount_cents"], content["count"]
    expiry = parse_datetime(content["expires_at"]) if content["expires_at"] else None
    valid = date_format(timezone.localtime(expiry), "SHORT_DATETIME_FORMAT") if expiry else ""
    return [
        (_("How many"), str(count)),
        (_("Value per voucher"), credits_text(each_cents)),
        (_("Sum"), credits_text(each_cents * count)),
        (_("Valid until"), valid or _("for ever")),
    ]


def _adjustment_lines(proposal: Proposal) -> Lines:
    person = User.objects.get(pk=proposal.content["user"])
    return [
        (_("Player"), person.get_username()),
        (_("Amount"), credits_change(proposal.content["amount_cents"])),
    ]


PART: Final = DeskPart(
    urls="ledger.desk.urls",
    menu=(
        MenuPage(Group.CREDITS, 1, "payouts", _("Payouts"), "ledger.view_payout"),
        MenuPage(Group.CREDITS, 2, "adjustments", _("Adjustments"), "ledger.adjust_credits"),
        MenuPage(Group.CREDITS, 3, "vouchers", _("Vouchers"), "ledger.make_voucher"),
        MenuPage(Group.HOUSE, 3, "journal", _("Journal"), "ledger.view_journalentry"),
        MenuPage(Group.HOUSE, 4, "audit", _("Audit"), "ledger.view_auditrun"),
    ),
    piles=(
        Pile(
            2,
            "ledger.view_payout",
            _("Payouts waiting"),
            "desk:payouts",
            "requested_at",
            lambda _reader: payouts_waiting(),
        ),
        Pile(
            3,
            "accounts.view_user",
            _("Proposals waiting"),
            "desk:proposals",
            "proposed_at",
            lambda reader: proposals_waiting(reader.get_all_permissions()),
        ),
    ),
    verbs={
        **PAYOUT_JOURNAL,
        "payout.taken_over": _("took over a payout"),
        "adjustment.give": _("adjusted credits"),
        "voucher.make": _("made vouchers"),
        "voucher.revoke": _("revoked a voucher"),
        "player.freeze": _("froze a wallet"),
        "player.thaw": _("released a wallet"),
        "stakes.stop": _("stopped new stakes"),
        "stakes.resume": _("let stakes in again"),
        "proposal.make": _("proposed a decision"),
        "proposal.confirm": _("confirmed a decision"),
        "proposal.refuse": _("refused a proposed decision"),
        "proposal.withdraw": _("withdrew a proposed decision"),
    },
    fields={
        "state": _("State"),
        "user": _("Player"),
        "amount_cents": _("Amount"),
        "ids": _("Vouchers"),
        "count": _("How many"),
        "expires_at": _("Valid until"),
        "revoked": _("Revoked"),
        "frozen": _("Frozen"),
        "stopped": _("Stopped"),
        "alone_cents": _("Decided alone"),
        "proposal": _("Proposal"),
        "kind": _("Kind"),
    },
    values={
        **values_named("state", {**dict(ProposalState.choices), **dict(PayoutState.choices)}),
        ("kind", VOUCHERS): _("let vouchers be redeemed"),
    },
    subjects={
        "payout": subject(_("Payout %(number)s"), "desk:payout"),
        "adjustment": subject(_("Adjustment %(number)s")),
        "voucher": subject(_("Voucher %(number)s")),
        "user": subject(_("Player %(number)s"), "desk:player"),
        "player": subject(_("Player %(number)s"), "desk:player"),
    },
    proposals={
        VOUCHERS: ProposalWords(_("Let vouchers be redeemed"), _voucher_lines),
        ADJUSTMENT: ProposalWords(_("Give or take credits"), _adjustment_lines),
    },
)
