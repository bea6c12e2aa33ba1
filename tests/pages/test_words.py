"""Words of the pages: plain ones, the glossary's, and those of django-allauth in our own."""

import re
from pathlib import Path

import allauth
import pytest
from babel.messages.catalog import Message

from tests.pages.test_translations import entries, read_catalogue
from tests.pages.texts import ROOT, placeholders, texts

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


# --- the glossary ---------------------------------------------------------------------------------
TERMS, _, TABLE = (
    (ROOT / "docs/glossary.md").read_text("utf-8").partition("## Words that are not used")
)
#: each term of the lists with what stands in parentheses behind it
DEFINED = re.findall(r"\*\*([^*]+)\*\*(?:\s\(([^)]+)\))?", TERMS)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TABLE.splitlines()
    if line.startswith("| ") and not line.startswith("| English")
]


def never(column: int) -> list[str]:
    """The words under *not* in a column of the table."""
    return [word.strip() for row in ROWS for word in row[column].split(",") if word.strip()]


@pytest.fixture(scope="module")
def english_texts() -> str:
    return "\n".join(text for each in texts() for text in (each.singular, each.plural))


@pytest.fixture(scope="module")
def german() -> str:
    catalogue = entries(read_catalogue(ROOT / "locale" / "de" / "LC_MESSAGES" / "django.po"))
    strings = (message.string for message in catalogue.values())
    return "\n".join(
        form for string in strings for form in ([string] if isinstance(string, str) else string)
    )


def test_the_table_has_rows_of_four_cells() -> None:
    assert len(ROWS) > 15
    assert [row for row in ROWS if len(row) != 4] == []


def test_each_term_is_defined_once() -> None:
    terms = [term.lower() for term, _ in DEFINED]
    assert len(terms) > 150
    assert sorted({term for term in terms if terms.count(term) > 1}) == []


def test_each_german_term_is_used(german: str) -> None:
    listed = [word for _, words in DEFINED for word in words.split(", ") if word]
    wanted = [*listed, *(row[2] for row in ROWS)]
    assert [word for word in wanted if word.lower() not in german.lower()] == []


def test_no_other_german_word_stands_for_a_term(german: str) -> None:
    assert [word for word in never(3) if re.search(rf"\b{word}\b", german)] == []


def test_no_other_english_word_stands_for_a_term(english_texts: str) -> None:
    assert [
        word for word in never(1) if re.search(rf"\b{word}\b", english_texts, re.IGNORECASE)
    ] == []


# --- the texts of django-allauth ------------------------------------------------------------------
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
