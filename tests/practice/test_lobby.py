"""The lobby of a person who practises: a house bot is shown as a bot."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from backgammon.bots.strength import LEVELS
from games.forms.practice import level_in_words, levels_in_words
from games.services.practice import practice_open
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Bot · Intermediate"), ("de", "Bot · Fortgeschritten")]
)
def test_a_house_bot_has_its_strength_in_words_and_no_rating(hilde, language, words):
    practice_open(user=hilde, strength="intermediate")
    client = Client(headers={"accept-language": language})
    client.force_login(hilde)
    told = text_of(client.get(reverse("lobby")))
    assert f"{words} " in told
    mine = told.split(words)[0].rsplit("Pasch", 1)[1]
    assert "1500" not in mine


@pytest.mark.parametrize("page", ["lobby", "practice_open"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_level_stands_with_its_sentence_and_its_rate(hilde, page, language):
    """In the lobby and on the page with every rule; without scripts, too."""
    client = Client(headers={"accept-language": language})
    client.force_login(hilde)
    shown = text_of(client.get(reverse(page)))
    with translation.override(language):
        levels = levels_in_words()
    assert len(levels) == len(LEVELS)
    for level in levels:
        assert f"{level.name} {level.sentence} {level.rate}." in shown


def test_the_page_with_every_rule_describes_the_chosen_level(hilde):
    client = Client(headers={"accept-language": "en"})
    client.force_login(hilde)
    for strength, times in (("child", 2), ("alone", 1)):
        shown = text_of(client.get(reverse("practice_open"), {"strength": strength}))
        assert shown.count(LEVELS[0].sentence) == times


def test_who_waits_reads_how_well_the_bot_plays(hilde):
    client = Client(headers={"accept-language": "en"})
    client.force_login(hilde)
    waiting = client.post(reverse("play_now"), follow=True)
    level = level_in_words("intermediate")
    assert f"{level.sentence} {level.rate}." in text_of(waiting)
