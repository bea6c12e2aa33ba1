"""The index of the rules: all games, what a table may choose, and the rating calculator."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from games.modes.choices import RULE_FIELDS, rule_choice
from games.rules.match import SERIES
from games.rules.variants import ALL
from ratings.elo import Standing, rate
from tests.logins import logged_in

ME, THEM, N = Standing(Decimal(1612), 250), Standing(Decimal(1498), 0), 7
ASKED = "?own_elo=1612&own_experience=250&their_elo=1498&their_experience=0&n=7"


def page_of(ask: str = "", language: str = "en") -> str:
    response = Client(headers={"accept-language": language}).get(reverse("rules") + ask)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_index_leads_to_every_game(db: None, language: str) -> None:
    page = page_of(language=language)
    for key in (*(variant.key for variant in ALL), *SERIES):
        assert f'href="{reverse("rules_game", args=[key])}"' in page
    assert page.count('<svg class="bg bg-drawing"') == len(ALL) + len(SERIES)


def test_every_rule_that_a_table_may_choose_is_explained(db: None) -> None:
    page = page_of().replace("&#x27;", "'")
    choices = [
        rule_choice(field, variant, is_match=is_match)
        for field in RULE_FIELDS
        for variant in ALL
        for is_match in (False, True)
    ]
    missing = {c.field for c in choices if c and c.sentence not in page}
    assert not missing


def test_the_calculator_has_the_numbers_of_the_formula(db: None) -> None:
    page = page_of(ASKED)
    won, lost = rate(ME, THEM, N), rate(THEM, ME, N)
    for row, mine, theirs in (
        ("elo-won", won.winner, won.loser),
        ("elo-lost", lost.loser, lost.winner),
    ):
        found = re.search(rf'id="{row}">(.*?)</tr>', page, re.DOTALL)
        assert found is not None
        words = re.sub(r"<[^>]+>", " ", found[1]).replace("\u2212", "-")
        numbers = [Decimal(n) for n in re.findall(r"[+-]?\d+\.\d\d", words)]
        expected = [mine.elo - ME.elo, mine.elo, theirs.elo - THEM.elo, theirs.elo]
        assert numbers == [value.quantize(Decimal("0.01")) for value in expected]
    assert "2.50<" in page, "K of the reader"


def test_the_calculator_writes_numbers_as_the_reader_does(db: None) -> None:
    assert re.search(r"<b>\+\d+,\d\d</b>", page_of(ASKED, "de"))


@pytest.mark.parametrize("ask", ["?n=0", "?own_elo=much", "?their_experience=-1", "?own_elo="])
def test_the_calculator_refuses_what_is_no_number_of_a_match(db: None, ask: str) -> None:
    page = page_of(ask)
    assert 'class="errorlist' in page
    assert 'id="elo-won"' not in page


def test_forms_and_ranking_link_to_the_rules_they_follow(house, visitor) -> None:
    reader = logged_in(visitor, house.magriel)
    form = reader.get(reverse("table_open") + "?mode=match&variant=plakoto").content.decode()
    assert f'href="{reverse("rules_game", args=["plakoto"])}"' in form
    assert f'href="{reverse("rules")}#options"' in form
    assert f'href="{reverse("rules")}#rating"' in reader.get(reverse("ranking")).content.decode()
