"""Prices for tests: sets other figures of the house."""

from typing import Any

from games.models import HousePrices
from games.modes.prices import figures_of
from games.modes.pricing import prices_of
from games.selectors import prices
from games.services.prices import prices_number, prices_store


def house_prices(**figures: Any) -> HousePrices:
    """Change these figures of the house, as the owner of the database can."""
    changed = prices_of({**figures_of(prices()), **figures})
    return prices_store(changed, number=prices_number() + 1, reason="a test")
