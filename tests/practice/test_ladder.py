"""The ladder of the house bots: two wins of three matches in a row climb a rung, and it stays."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.selectors_bots import Rung, ladder_of, next_rung
from games.services.practice import practice_open
from games.table import commands as cmd
from tests.practice.conftest import Practice

pytestmark = pytest.mark.django_db


def played(user: User, strength: str, results: str) -> None:
    """Matches against this bot: each was won (w) or lost (l) by the user in seat 0."""
    for result in results:
        Practice(user, practice_open(user=user, strength=strength)).give(cmd.Leave())
        newest = Match.objects.order_by("-started_at").first()
        Match.objects.filter(pk=newest.pk).update(winner_seat="wl".index(result))


@pytest.mark.parametrize(
    ("results", "rung"),
    [
        ("w", Rung(1, 0, False)),
        ("wlw", Rung(2, 1, True)),
        ("wllw", Rung(2, 2, False)),
        ("wwlll", Rung(2, 3, True)),
    ],
)
def test_two_of_three_in_a_row_climb_a_rung_and_it_stays(
    hilde: User, results: str, rung: Rung
) -> None:
    played(hilde, "child", results)
    assert ladder_of(hilde.pk) == {"child": rung}


def test_the_next_rung_is_the_lowest_that_is_not_climbed(hilde: User, magriel: User) -> None:
    assert next_rung(ladder_of(hilde.pk)) == "child"
    played(hilde, "child", "ww")
    played(hilde, "expert", "ww")
    assert next_rung(ladder_of(hilde.pk)) == "beginner"
    assert ladder_of(magriel.pk) == {}, "the results of another person"
    climbed = Rung(2, 0, True)
    every = ("child", "beginner", "intermediate", "advanced", "expert", "world_class")
    assert next_rung(dict.fromkeys(every, climbed)) is None


def test_a_game_that_was_left_lying_for_a_person_does_not_count(hilde: User) -> None:
    played(hilde, "child", "l")
    Match.objects.update(ending="time_over")
    assert ladder_of(hilde.pk) == {}


def test_practice_alone_is_on_no_rung(hilde: User) -> None:
    played(hilde, "alone", "ww")
    assert ladder_of(hilde.pk) == {}


def test_the_card_shows_results_and_offers_the_next_rung(hilde: User, client: Client) -> None:
    played(hilde, "child", "wlw")
    client.force_login(hilde)
    page = client.get(reverse("lobby")).content.decode()
    assert re.search(r'bot-next" name="strength" value="beginner"', page)
    assert "2 won, 1 lost" in page
    assert "1 of 6 rungs climbed" in page
    assert "against Mira for the next" in page


def test_the_page_with_every_rule_keeps_the_chosen_opponent(hilde: User, client: Client) -> None:
    played(hilde, "child", "ww")
    client.force_login(hilde)
    page = client.get(reverse("practice_open"), {"strength": "expert"}).content.decode()
    assert re.search(r'value="expert"\s+checked', page)
    assert len(re.findall(r"checked", page[page.index("bots") : page.index("</fieldset>")])) == 1
