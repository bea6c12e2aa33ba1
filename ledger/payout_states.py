"""The states of a payout: one table with everything that depends on a state.

A new state is a row here, its steps in `ledger_payout_next` (ledger/migrations/sql/payouts.sql; a
test compares the two), and what leads to it in `ledger/services/payouts.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class PayoutState(models.TextChoices):
    """Where a payout stands."""

    REQUESTED = "requested", _("requested")
    APPROVED = "approved", _("approved")
    PAYING = "paying", _("being paid")
    PAID = "paid", _("paid")
    DECLINED = "declined", _("declined")
    CANCELLED = "cancelled", _("cancelled")
    FAILED = "failed", _("failed")


_S = PayoutState


@dataclass(frozen=True, slots=True)
class StateRule:
    """The consequences of a state.

    `next`: where it may go; none for an end. `frozen_refused`: no payout comes here while the
    wallet is frozen. `good`: an end without giving the credits back. `mail` is what the player
    reads, with `receipt` and `reason` filled in; empty for no mail. `reason_told`: the reason is
    meant for the player. `journal` is the administrator's act in words.
    """

    next: frozenset[PayoutState] = frozenset()
    frozen_refused: bool = False
    good: bool = False
    mail: str | Promise = ""
    reason_told: bool = False
    journal: str | Promise = ""

    @property
    def open(self) -> bool:
        """Whether the credits are still in the hold."""
        return bool(self.next)


STATES: Final[Mapping[PayoutState, StateRule]] = {
    _S.REQUESTED: StateRule(
        next=frozenset({_S.APPROVED, _S.DECLINED, _S.CANCELLED}),
        mail=_(
            "We have reserved the credits. One administrator checks your request and "
            "a second one pays it."
        ),
        journal=_("sent a payout back to be approved again"),
    ),
    _S.APPROVED: StateRule(
        next=frozenset({_S.PAYING, _S.DECLINED, _S.CANCELLED, _S.REQUESTED}),
        frozen_refused=True,
        mail=_("Your request has been approved. A second administrator will pay it."),
        journal=_("approved a payout"),
    ),
    _S.PAYING: StateRule(
        next=frozenset({_S.PAID, _S.FAILED, _S.CANCELLED, _S.REQUESTED}),
        frozen_refused=True,
        journal=_("took a payout to pay it"),
    ),
    _S.PAID: StateRule(
        frozen_refused=True,
        good=True,
        mail=_("It has been paid. Receipt: %(receipt)s"),
        journal=_("settled a payout"),
    ),
    _S.DECLINED: StateRule(
        mail=_(
            "We did not approve it, and the credits are back in your wallet. Reason: %(reason)s"
        ),
        reason_told=True,
        journal=_("declined a payout"),
    ),
    _S.CANCELLED: StateRule(
        mail=_("You withdrew it, and the credits are back in your wallet."),
        journal=_("cancelled a payout as its player asked"),
    ),
    _S.FAILED: StateRule(
        mail=_(
            "The payment did not go through, and the credits are back in your wallet. "
            "Reason: %(reason)s"
        ),
        reason_told=True,
        journal=_("noted a payout as failed"),
    ),
}

WAY: Final = (_S.REQUESTED, _S.APPROVED, _S.PAYING, _S.PAID)
"""The way of a payout that goes well."""

OPEN_STATES: Final = tuple(state for state, rule in STATES.items() if rule.open)
REASONS_TOLD: Final = frozenset(state for state, rule in STATES.items() if rule.reason_told)
GOOD_ENDS: Final = frozenset(state for state, rule in STATES.items() if rule.good)
BAD_ENDS: Final = frozenset(s for s, rule in STATES.items() if not rule.open and not rule.good)
JOURNAL: Final = {f"payout.{s}": rule.journal for s, rule in STATES.items() if rule.journal}
