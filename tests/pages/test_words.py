"""Texts use plain words: unclear phrases that were replaced do not come back."""

import pytest

from tests.pages.test_translations import entries, read_catalogue
from tests.pages.texts import ROOT, texts

ENGLISH = (
    "a tie pays both",
    "By themselves",
    "comes out even",
    "complete play at once",
    "counts the cube",
    "first whom",
    "for honour",
    "front door",
    "knows no voucher",
    "no player hears",
    "Only what I can pay",
    "rake you can count",
    "so far %(used)s",
    "stand up",
    "stands there before",
    "stood up",
    "tell us",
    "account a bot's",
    "is told if you",
    "left during the match",
    "shown to nobody",
    "Waiting whether",
    "want to read",
    "while I look elsewhere",
    "Who watches",
    "Whoever",
)
GERMAN = (
    "Brett umdrehen",
    "bewegen sich schneller",
    "geübt",
    "In Worten",
    "Langes Nardi",
    "Pot ohne den Rake",
    "Preis Einzel",
    "sehen zu",
    "verliert das Match",
    "Wiederherstellungs-Codes",
)
#: the German name of a game may contain one of them.
NAMES = {"Langes Nardi": "Langbackgammon (Langes Nardi)"}


@pytest.fixture(scope="module")
def english() -> list[tuple[str, str]]:
    """The file and the words, in lower case, of every English text."""
    return [(text.where, text.singular.lower()) for text in texts()]


@pytest.mark.parametrize("phrase", ENGLISH)
def test_no_text_contains(phrase: str, english: list[tuple[str, str]]) -> None:
    assert [where for where, text in english if phrase.lower() in text] == []


@pytest.mark.parametrize("phrase", GERMAN)
def test_no_translation_contains(phrase: str) -> None:
    catalogue = entries(read_catalogue(ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"))
    forms = (
        form
        for message in catalogue.values()
        for form in ((message.string,) if isinstance(message.string, str) else message.string)
    )
    allowed = NAMES.get(phrase)
    assert [form for form in forms if phrase in form and form != allowed] == []
