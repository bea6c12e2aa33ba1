"""The labels of transfers, with the glyph beside each in the wallet, and of accounts."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class KindLabel:
    """A kind of transfer in a player's words; `glyph` is a name of static/icons.svg."""

    text: str | Promise
    glyph: str


KIND_LABELS: Mapping[str, KindLabel] = {
    "welcome": KindLabel(_("Welcome credits"), "gift"),
    "voucher": KindLabel(_("Voucher"), "gift"),
    "grant": KindLabel(_("Credits from the house"), "gift"),
    "purchase": KindLabel(_("Purchase"), "plus"),
    "chargeback": KindLabel(_("Purchase taken back"), "undo"),
    "stake": KindLabel(_("Stake"), "lock"),
    "result": KindLabel(_("Match paid out"), "trophy"),
    "tie": KindLabel(_("Match without a winner paid out"), "scale"),
    "adjudicate": KindLabel(_("Decided by an administrator"), "scale"),
    "void": KindLabel(_("Stake returned"), "undo"),
    "withdraw": KindLabel(_("Stake taken back"), "undo"),
    "add": KindLabel(_("Added by the house"), "gift"),
    "payout_request": KindLabel(_("Payout requested"), "bank"),
    "payout_paid": KindLabel(_("Payout paid"), "bank"),
    "payout_return": KindLabel(_("Payout returned"), "undo"),
    "adjust": KindLabel(_("Adjustment"), "scale"),
    "correct": KindLabel(_("Correction of a match"), "scale"),
    "reverse": KindLabel(_("Reversal"), "undo"),
}

#: kinds that are called otherwise where they belong to something else than a match.
SUBJECT_LABELS: Mapping[tuple[str, str], KindLabel] = {
    ("tournament", "stake"): KindLabel(_("Entry fee into escrow"), "lock"),
    ("tournament", "withdraw"): KindLabel(_("Entry fee returned"), "undo"),
    ("tournament", "void"): KindLabel(_("Entry fee returned"), "undo"),
    ("tournament", "result"): KindLabel(_("Prize of a tournament"), "trophy"),
    ("chouette", "stake"): KindLabel(_("Limit of a chouette into escrow"), "lock"),
    ("chouette", "void"): KindLabel(_("Limit of a chouette returned"), "undo"),
    ("chouette", "result"): KindLabel(_("Game of a chouette paid out"), "trophy"),
}


ACCOUNT_LABELS: Mapping[str, str | Promise] = {
    "escrow": _("Escrow"),
    "payout_hold": _("Payout hold"),
    "house_rake": _("Rake"),
    "promo_issue": _("Credits issued"),
    "cash_in": _("Credits bought"),
    "payout_paid": _("Paid out"),
    "adjustment": _("Adjustments"),
}
"""The accounts that are no wallets, in the words of administrators."""


def label_of(kind: str, subject: str) -> KindLabel:
    """The label of a transfer of this kind; `subject` is the first word of its reference."""
    return SUBJECT_LABELS.get((subject, kind)) or KIND_LABELS[kind]
