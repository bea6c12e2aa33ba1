"""The prices of the house, as the part of its settings that tables are opened by."""

from django.conf import settings
from django.db import transaction

from games.models import Table
from games.modes.prices import BadPrices, Prices, figures_of
from games.modes.registry import prices_of
from house.history import HouseByTwo, change_store, part_number
from house.models import HouseChange
from house.parts import BadContent, Content, HouseFault, HousePart, part_register


def prices_register() -> None:
    """Let the settings of the house keep the prices."""
    part_register(HousePart.PRICES, _content, usual=figures_of(Prices()))


def _content(figures: object) -> Content:
    """Every figure that these make. Raises `BadContent`."""
    try:
        return figures_of(prices_of(figures))
    except BadPrices as error:
        faults = (HouseFault(fault.name, fault.code, fault.sentence) for fault in error.faults)
        raise BadContent(tuple(faults)) from error


@transaction.atomic
def prices_set_at_server(prices: Prices, *, reason: str) -> HouseChange:
    """Set prices without a second person, for the operator of the server and its database.

    Allowed before the first table was opened, and in a house with a single administrator. Raises
    `HouseByTwo` otherwise.
    """
    if not settings.LEDGER_SINGLE_ADMINISTRATOR and Table.objects.exists():
        raise HouseByTwo("two administrators change prices at /desk/money/")
    part, content = HousePart.PRICES, figures_of(prices)
    return change_store(part, content, seen=part_number(part), reason=reason, changed_by_id=None)
