"""S21: a rake of 100 % started the house and broke its pages.

Impossible figures are refused when they are set.
"""

from typing import Any

import pytest
from django.db import DatabaseError, transaction

from games.modes.prices import Prices, figures_of
from house.models import HouseChange

pytestmark = pytest.mark.slow

PAGES = ("/", "/rules/", "/play/")

#: figures that were or could have been stored: in each, one that no house can offer
BAD_FIGURES = [
    ("rake_bps", 10_000),
    ("rake_bps", 4_901),
    ("rake_bps", -1),
    ("rake_bps", 9.5),
    ("rake_bps", None),
    ("prize_stakes_cents", []),
    ("prize_stakes_cents", [250, 0]),
    ("prize_stakes_cents", 250),
    ("single_limits_cents", [99]),
    ("factor_with_cube", 1_001),
    ("base_stake_cents_max", 5),
    ("pair_limit", 0),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "value"), BAD_FIGURES)
def test_the_database_stores_no_figures_that_break_a_page(client, name: str, value: Any) -> None:
    said = figures_of(Prices())

    def stored(content: dict[str, Any]) -> None:
        with transaction.atomic():
            HouseChange.objects.create(number=1, part="prices", content=content, reason="x")

    with pytest.raises(DatabaseError, match="prices_"):
        stored({**said, name: value})
    stored(said)
    for page in PAGES:
        assert client.get(page).status_code == 200, page
