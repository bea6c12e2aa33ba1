"""S21: a rake of 100 % started the house and broke its pages.

Impossible figures are refused when they are set.
"""

import pytest
from django.db import DatabaseError, connection, transaction

pytestmark = pytest.mark.slow

PAGES = ("/", "/rules/", "/play/")

#: figures that were or could have been stored: in each, one that no house can offer
BAD_FIGURES = [
    "rake_bps = 10000",
    "rake_bps = 4901",
    "rake_bps = -1",
    "prize_stakes_cents = '{}'",
    "prize_stakes_cents = '{250, 0}'",
    "single_limits_cents = '{99}'",
    "factor_with_cube = 1001",
    "base_stake_cents_max = 5",
    "pair_limit = 0",
]


@pytest.mark.django_db
@pytest.mark.parametrize("figure", BAD_FIGURES)
def test_the_database_stores_no_figures_that_break_a_page(client, figure: str) -> None:
    name, _, value = figure.partition(" = ")
    said = {
        "prize_stakes_cents": "'{250, 500}'",
        "match_stakes_cents": "'{250, 500, 1000, 2000}'",
        "single_rates_cents": "'{100, 200}'",
        "single_limits_cents": "'{1000, 2000}'",
        "base_stake_cents_min": "10",
        "base_stake_cents_max": "10000",
        "factor_without_cube": "3",
        "factor_with_cube": "10",
        "rake_bps": "1000",
        "pair_limit": "NULL",
        "number": "1",
        "reason": "'figures of an attacker'",
    }
    insert = "INSERT INTO games_houseprices ({}) VALUES ({})"
    wrong = {**said, name: value}
    with connection.cursor() as cursor:
        with pytest.raises(DatabaseError, match=r"prices_|range"), transaction.atomic():
            cursor.execute(insert.format(", ".join(wrong), ", ".join(wrong.values())))
        cursor.execute(insert.format(", ".join(said), ", ".join(said.values())))
    for page in PAGES:
        assert client.get(page).status_code == 200, page
