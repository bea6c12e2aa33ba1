"""Every text that readers see is translated, and no translation is unused."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from tests.pages.texts import ROOT, Text, placeholders, texts

LANGUAGES = ("de",)


@pytest.fixture(scope="module")
def said() -> dict[tuple[str, str], Text]:
    """Every text of the sources by context and singular."""
    return {(text.context, text.singular): text for text in texts()}


@pytest.fixture(params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalog:
    return read_catalogue(ROOT / "locale" / request.param / "LC_MESSAGES" / "django.po")


def read_catalogue(path: Path) -> Catalog:
    with path.open("rb") as lines:
        return read_po(lines)


def entries(catalogue: Catalog) -> dict[tuple[str, str], Message]:
    """The translations by context and singular, without the head of the file."""
    return {(m.context or "", _forms(m.id)[0]): m for m in catalogue if m.id}


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_translated_twice(language: str) -> None:
    """Of two translations the programs take either; msgfmt refuses the file."""
    path = ROOT / "locale" / language / "LC_MESSAGES" / "django.po"
    written = [line for line in path.read_text("utf-8").splitlines() if line.startswith("msgid ")]
    assert len(written) == len(entries(read_catalogue(path))) + 1, "one for the head of the file"


def test_every_text_is_translated(said, catalogue):
    known = entries(catalogue)
    missing = [
        f"{text.where}: {text.singular}"
        for key, text in said.items()
        if key not in known or not all(_forms(known[key].string))
    ]
    assert missing == []


def test_no_translation_is_a_guess(catalogue):
    assert [message.id for message in catalogue if message.id and message.fuzzy] == []


def test_no_translation_is_left_over(said, catalogue):
    assert [key for key in entries(catalogue) if key not in said] == []


def test_every_translation_keeps_what_is_filled_in(catalogue):
    assert [message.id for message in catalogue if message.id and not _keeps(message)] == []


def _keeps(message: Message) -> bool:
    """Whether each form fills in what the text does; the first may be a sentence about one."""
    wanted = [placeholders(text) for text in _forms(message.id)]
    first, *others = (placeholders(form) for form in _forms(message.string))
    return first in wanted and all(form == wanted[-1] for form in others)


def test_no_translation_addresses_the_reader_formally(catalogue):
    formal = (" Sie ", " Ihr ", " Ihre ", " Ihnen ")
    stiff = [m.id for m in catalogue if any(f in f" {' '.join(_forms(m.string))} " for f in formal)]
    assert stiff == []
