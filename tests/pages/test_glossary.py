"""One word for one thing: the pages use the terms of the glossary, in English and in German."""

import re

import pytest

from tests.pages.test_translations import entries, read_catalogue
from tests.pages.texts import ROOT, texts

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
def english() -> str:
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


def test_no_other_english_word_stands_for_a_term(english: str) -> None:
    assert [word for word in never(1) if re.search(rf"\b{word}\b", english, re.IGNORECASE)] == []
