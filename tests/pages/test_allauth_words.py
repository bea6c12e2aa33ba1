"""The texts of django-allauth are in the words of the house, in both languages."""

import re
from pathlib import Path

import allauth
import pytest
from babel.messages.catalog import Message

from tests.pages.test_translations import entries, read_catalogue
from tests.pages.texts import ROOT, placeholders

LANGUAGES = ("de", "en")
#: the parts of allauth that this house uses
PARTS = ("account/", "mfa/", "usersessions/")
#: what the house does not offer: numbers of phones, its own admin page, accounts by passkey alone
UNUSED = re.compile(r"phone|as verified|passkey sign|using a passkey", re.IGNORECASE)
FORMAL = re.compile(r"\b(Sie|Ihre?[nmrs]?|Dir|Dich|Deine?[nmrs]?)\b")
CAPITALS = re.compile(r"(?<![.!?:-]) [A-Z][a-z]+\b")
FOREIGN = re.compile(r"[Ss]ign(ed)?[ -](in|out|up)|[Uu]sername|\b[Ee]mail")
#: names of models, which stand in no page
UNSEEN = ("account/models.py", "usersessions/apps.py")


def borrowed() -> dict[str, Message]:
    """allauth's own German texts that a reader may see, by their English."""
    path = Path(allauth.__file__).parent / "locale" / "de" / "LC_MESSAGES" / "django.po"
    return {
        text: message
        for (_, text), message in entries(read_catalogue(path)).items()
        if any(where.removeprefix("templates/").startswith(PARTS) for where, _ in message.locations)
        and not all(where in UNSEEN for where, _ in message.locations)
        and not UNUSED.search(text)
    }


def own(language: str) -> dict[str, Message]:
    path = ROOT / "locale" / "allauth" / language / "LC_MESSAGES" / "django.po"
    return {text: message for (_, text), message in entries(read_catalogue(path)).items()}


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_is_still_one_of_allauth_and_keeps_what_is_filled_in(language: str) -> None:
    known = borrowed()
    assert [text for text in own(language) if text not in known] == []
    changed = [
        text
        for text, message in own(language).items()
        if any(placeholders(form) != placeholders(text) for form in forms(message))
    ]
    assert changed == []


def test_no_german_text_is_formal_or_capitalises_du() -> None:
    shown = {text: forms(message) for text, message in borrowed().items()}
    shown |= {text: forms(message) for text, message in own("de").items()}
    stiff = [
        form
        for text in shown
        for form in shown[text]
        if FORMAL.search(re.sub(r"(^|[.!?:] )\w+", "", form))
    ]
    assert stiff == []


def test_no_english_text_has_capitals_within_or_other_words_than_the_house() -> None:
    shown = {text: (text,) for text in borrowed()} | {
        text: forms(message) for text, message in own("en").items()
    }
    assert [
        form
        for each in shown.values()
        for form in map(plain, each)
        if CAPITALS.search(form) or FOREIGN.search(form)
    ] == []


def plain(text: str) -> str:
    """The text without tags and what is filled in."""
    return re.sub(r"<[^>]*>|%\(\w+\)s", "", text)
