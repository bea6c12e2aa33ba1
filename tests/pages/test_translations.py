"""Every text of pages and scripts is translated for its reader, and no translation is unused."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from backgammon.rules.variants import KEYS, by_key
from games.api.wishes import GameWishesSerializer
from games.forms.filters import FilterForm
from games.forms.practice import PracticeForm
from games.forms.tables import TableForm
from games.templatetags.table_words import table_words
from games.templatetags.tables import variant_name
from pasch.assets.script_texts import (
    ScriptText,
    TextNotWrittenOut,
    key,
    texts_of,
    translations,
)
from pasch.assets.storage import LINKED
from tests.pages.texts import ROOT, Text, placeholders, read_by_babel, scripts, texts

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


# --- texts of scripts -----------------------------------------------------------------------------
SOURCE = """
say("A");
say("B {n}", { n: say("C") });
const made = `${sayIn("c", "D")}, ${sayCount("one", "{count}", { count })}`;
"""


def test_each_call_is_read_within_others_too() -> None:
    assert list(texts_of(SOURCE)) == [
        ScriptText("", "A", ""),
        ScriptText("", "B {n}", ""),
        ScriptText("", "C", ""),
        ScriptText("c", "D", ""),
        ScriptText("", "one", "{count}"),
    ]


@pytest.mark.parametrize("call", ["say(text)", "say(`a`)", 'say("a" + b)', 'sayCount("a", b, {})'])
def test_a_text_that_is_not_written_out_is_an_error(call: str) -> None:
    with pytest.raises(TextNotWrittenOut):
        list(texts_of(f"const told = {call};"))


def test_a_well_kept_reader_finds_no_other_texts() -> None:
    for path in scripts():
        assert read_by_babel(path) <= set(texts_of(path.read_text("utf-8"))), path.name


def test_no_two_texts_have_one_key() -> None:
    texts = {text for path in scripts() for text in texts_of(path.read_text("utf-8"))}
    assert len({key(text) for text in texts}) == len({(t.context, t.singular) for t in texts})


@pytest.mark.parametrize("script", [name for name in LINKED if name.endswith(".js")])
def test_english_pages_bring_no_texts(script: str) -> None:
    with override("en"):
        assert translations(script) == {}


def test_a_text_with_a_number_has_each_form_of_the_language() -> None:
    with override("de"):
        found = translations("js/table.js")
    points = ScriptText("", "You win {count} point", "You win {count} points")
    assert found[key(points)] == {
        "one": "Du gewinnst {count} Punkt",
        "other": "Du gewinnst {count} Punkte",
    }
    assert found[key(ScriptText("", "Your turn", ""))] == "Du bist am Zug"


@pytest.mark.django_db
def test_a_page_brings_the_texts_of_its_own_script_alone(client: Client) -> None:
    page = client.get(reverse("analysis_board"), headers={"accept-language": "de"}).content.decode()
    assert page.count('id="texts-') == 1
    assert 'id="texts-analysis-board"' in page


# --- names of variants ----------------------------------------------------------------------------
@pytest.mark.django_db
@pytest.mark.parametrize("key", KEYS)
def test_a_variant_can_be_chosen_everywhere_by_its_name(key: str) -> None:
    name = by_key(key).name
    with override("en"):
        forms = (
            FilterForm(),
            PracticeForm.of({}, shows=True),
            TableForm.of({"mode": "normal"}, shows=True),
        )
        for form in forms:
            assert dict(form.fields["variant"].choices)[key] == name
        assert table_words()["variants"][key] == variant_name(key) == name
    assert key in GameWishesSerializer().fields["variant"].choices


def test_a_name_is_translated_for_its_reader() -> None:
    with override("de"):
        assert table_words()["variants"]["russian"] == "Russisches Backgammon"
        assert variant_name("russian") == "Russisches Backgammon"


def test_a_variant_that_is_played_no_more_is_named_by_its_key() -> None:
    assert variant_name("chess") == "chess"
