"""Reading for a player's own pages that the desk has no use for."""

from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from ledger.models import OPEN_STATES, Account, Payout, PayoutState, PayoutStep
from ledger.postings import wallet_key
from ledger.selectors_desk import Statement, statement

REASONS_TOLD = frozenset({PayoutState.DECLINED, PayoutState.FAILED})


def payouts_open_cents(user_id: int) -> int:
    """What a player's open payouts hold, in cents."""
    waiting = Payout.objects.filter(user=user_id, state__in=OPEN_STATES)
    return int(waiting.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def statement_years(user_id: int) -> range:
    """The years a player's wallet has a statement for, up to this one; none without a wallet."""
    opened_at = Account.objects.filter(key=wallet_key(user_id)).values_list("created_at", flat=True)
    first = opened_at.first()
    return range(first.year, timezone.now().year + 1) if first else range(0)


def year_statement(user_id: int, year: int) -> Statement:
    """A wallet's statement over a calendar year, from midnight to midnight UTC."""
    since = datetime(year, 1, 1, tzinfo=UTC)
    return statement(user_id, since=since, until=since.replace(year=year + 1))


def reason_told(step: PayoutStep) -> str:
    """Why a payout was refused; what administrators remark on other steps stays with them."""
    return step.reason if step.state in REASONS_TOLD else ""


def payout_minimum_cents() -> int:
    """The smallest payout the house makes, in cents."""
    return int(settings.LEDGER_PAYOUT_MINIMUM_CENTS)
