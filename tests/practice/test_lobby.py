"""The lobby of a person who practises: a house bot is shown as a bot."""

import pytest
from django.test import Client
from django.urls import reverse

from games.services.practice import practice_open
from tests.pages.test_pages import text_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Bot · intermediate"), ("de", "Bot · fortgeschritten")]
)
def test_a_house_bot_has_its_strength_in_words_and_no_rating(hilde, language, words):
    practice_open(user=hilde, strength="intermediate")
    client = Client(headers={"accept-language": language})
    client.force_login(hilde)
    told = text_of(client.get(reverse("lobby")))
    assert f"{words} " in told
    mine = told.split(words)[0].rsplit("Pasch", 1)[1]
    assert "1500" not in mine
