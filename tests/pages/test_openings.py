"""The page on points and openings: all first rolls, legal plays, and none that the engine minds."""

from itertools import combinations

import pytest
from django.test import Client
from django.urls import reverse

from analysis.pages.board import START
from backgammon.counting.positions import roll_of, situation_of
from backgammon.engines.sage import house_engine
from backgammon.rules.xgid import Xgid
from pasch.pages.openings import OPENINGS, POINTS
from tests.pages.test_pages import text_of


def test_every_first_roll_has_its_plays() -> None:
    rolls = sorted(tuple(sorted(dice)) for dice, _plays, _idea in OPENINGS)
    assert rolls == list(combinations(range(1, 7), 2))


@pytest.mark.parametrize(("dice", "plays", "idea"), OPENINGS)
def test_the_engine_finds_every_named_play_about_as_good_as_the_best(
    dice: tuple[int, int], plays: tuple[str, ...], idea: str
) -> None:
    situation = situation_of(Xgid.parse(START))
    asked = [roll_of(situation, dice, play) for play in plays]
    values = {value.result: value.equity for value in house_engine().plays(asked[0], 2)}
    best = max(values.values())
    for play, made in zip(plays, asked, strict=True):
        assert made.played is not None
        assert best - values[made.played.result] < 0.03, play


@pytest.mark.django_db
def test_the_page_names_points_and_rolls_in_both_languages() -> None:
    english = text_of(Client(headers={"accept-language": "en"}).get(reverse("rules_openings")))
    german = text_of(Client(headers={"accept-language": "de"}).get(reverse("rules_openings")))
    assert "20 golden point" in english
    assert "20 goldener Punkt" in german
    assert "3-1 8/5 6/5" in english
    assert all(number in english for number, _name, _words in POINTS)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_tell_where_the_ratings_come_from(language: str) -> None:
    told = text_of(Client(headers={"accept-language": language}).get(reverse("rules")))
    assert [word for word in ("Arpad Elo", "1960", "FIBS", "1992") if word not in told] == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["rules", "ranking", "table_open"])
def test_german_pages_say_elo(name: str, django_user_model: type) -> None:
    client = Client(headers={"accept-language": "de"})
    client.force_login(django_user_model.objects.create_user("leser"))
    assert "Elo" in text_of(client.get(reverse(name)))
