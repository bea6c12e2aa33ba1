"""New prices of the house: each set of figures is a row that stays, and the newest counts."""

from django.conf import settings
from django.db import transaction

from games.models import HousePrices, Table
from games.modes.prices import Prices, figures_of
from games.selectors import prices_row


class PricesByTwo(Exception):
    """In this house only two administrators can change prices, at the desk."""


def prices_number() -> int:
    """The number of the prices in force; 0 in a house that never changed its defaults."""
    row = prices_row()
    return row.number if row else 0


def prices_store(
    prices: Prices,
    *,
    number: int,
    reason: str,
    proposal_id: int | None = None,
    proposed_by_id: int | None = None,
    confirmed_by_id: int | None = None,
) -> HousePrices:
    """Let these prices count for tables opened from now on, as row `number`.

    The database refuses figures out of bounds, a number that does not follow the newest, and rows
    that no confirmed proposal decided, unless the owner of the database writes them.
    """
    return HousePrices.objects.create(
        number=number,
        reason=reason,
        proposal_id=proposal_id,
        proposed_by_id=proposed_by_id,
        confirmed_by_id=confirmed_by_id,
        **figures_of(prices),
    )


@transaction.atomic
def prices_set_at_server(prices: Prices, *, reason: str) -> HousePrices:
    """Set prices without a second person, for the operator of the server and its database.

    Allowed before the first table was opened, and in a house with a single administrator. Raises
    `PricesByTwo` otherwise.
    """
    if not settings.LEDGER_SINGLE_ADMINISTRATOR and Table.objects.exists():
        raise PricesByTwo("two administrators change prices at /desk/money/")
    return prices_store(prices, number=prices_number() + 1, reason=reason)
