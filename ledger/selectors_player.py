"""Reading for a player's own pages that the desk has no use for."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from house.parts import HousePart
from house.reader import House, house_now
from ledger.models import OPEN_STATES, Account, Payout, PayoutStep
from ledger.payout_states import REASONS_TOLD
from ledger.postings import wallet_key
from ledger.selectors_desk import WalletStatement, statement


@dataclass(frozen=True, slots=True)
class PayableView:
    """The part of a wallet that can be paid out now, and the condition for the rest.

    `locked_cents` came as promotional credits; `to_play_cents` is how much is still to be played
    for, against `people_missing` more people. `held_cents` are held by a check, `unchecked_cents`
    were won lately and wait for theirs.
    """

    balance_cents: int
    locked_cents: int = 0
    to_play_cents: int = 0
    people_missing: int = 0
    held_cents: int = 0
    unchecked_cents: int = 0
    factor: int = 1
    people: int = 0
    """The terms of promotional credits: how often over, and against how many people."""

    @property
    def total_cents(self) -> int:
        """How much the locked credits are to be played for, while people are missing."""
        return self.factor * self.locked_cents

    @property
    def played_cents(self) -> int:
        """How much of that has been played for."""
        return max(self.total_cents - self.to_play_cents, 0)

    @property
    def people_met(self) -> int:
        """Against how many people that was."""
        return max(self.people - self.people_missing, 0)

    @property
    def aside_cents(self) -> int:
        """The cents that cannot be paid out now, for whatever reason."""
        return self.locked_cents + self.held_cents + self.unchecked_cents

    @property
    def payable_cents(self) -> int:
        """The cents that can be paid out now."""
        return max(self.balance_cents - self.aside_cents, 0)


@dataclass(frozen=True, slots=True)
class PromoTerms:
    """How often over promotional credits are played for, and against how many people."""

    factor: int
    people: int


def payable(user_id: int) -> PayableView:
    """The part of a player's wallet that can be paid out now; nothing without a wallet."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.balance_cents, l.locked_cents, l.to_play_cents, l.people_missing,"
            " ledger_held(a.owner_id), ledger_unchecked(a.id), p.factor, p.people"
            " FROM ledger_account a, LATERAL ledger_promo_lock(a.id) l, ledger_promo_terms() p"
            " WHERE a.key = %s",
            [wallet_key(user_id)],
        )
        row = cursor.fetchone()
    return PayableView(*row) if row else PayableView(0)


def promo_terms() -> PromoTerms:
    """The terms as the database enforces them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT factor, people FROM ledger_promo_terms()")
        return PromoTerms(*cursor.fetchone())


def payouts_open_cents(user_id: int) -> int:
    """The sum of a player's open payouts, in cents."""
    waiting = Payout.objects.filter(user=user_id, state__in=OPEN_STATES)
    return int(waiting.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def statement_years(user_id: int) -> range:
    """The years a player's wallet has a statement for, up to this one; none without a wallet."""
    opened_at = Account.objects.filter(key=wallet_key(user_id)).values_list("created_at", flat=True)
    first = opened_at.first()
    return range(first.year, timezone.now().year + 1) if first else range(0)


def year_statement(user_id: int, year: int) -> WalletStatement:
    """A wallet's statement over a calendar year, from midnight to midnight UTC."""
    since = datetime(year, 1, 1, tzinfo=UTC)
    return statement(user_id, since=since, until=since.replace(year=year + 1))


def reason_told(step: PayoutStep) -> str:
    """Why a payout was refused; what administrators remark on other steps stays with them."""
    return step.reason if step.state in REASONS_TOLD else ""


def payout_minimum_cents() -> int:
    """The smallest payout the house makes, in cents."""
    chosen = house_now().content(HousePart.LIMITS).get("payout_minimum_cents")
    return int(chosen or settings.LEDGER_PAYOUT_MINIMUM_CENTS)


def welcome_cents(house: House | None = None) -> int:
    """The welcome credits of a new player in this house, in cents; 0 if there are none."""
    chosen = (house or house_now()).content(HousePart.LIMITS).get("welcome_cents")
    return int(settings.LEDGER_WELCOME_CENTS if chosen is None else chosen)
