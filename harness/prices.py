"""Prices for tests: sets other figures of the house."""

from typing import Any

from games.modes.prices import figures_of
from games.modes.registry import prices_of
from games.selectors import prices
from house.history import change_store, part_number
from house.models import HouseChange
from house.parts import HousePart


def house_prices(**figures: Any) -> HouseChange:
    """Change these figures of the house, as the owner of the database can."""
    changed = figures_of(prices_of({**figures_of(prices()), **figures}))
    part = HousePart.PRICES
    return change_store(part, changed, seen=part_number(part), reason="a test", changed_by_id=None)
