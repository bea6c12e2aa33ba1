"""Translations are stored as text and compiled after changes."""

import gettext
import os
from pathlib import Path

import pytest

from pasch.assets.prepared import translations_compile

TEXT = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Stake"
msgstr "Einsatz"

#, fuzzy
msgid "Rake"
msgstr "Harke"
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    source = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    source.write_text(TEXT)
    return source


def test_what_changed_is_compiled_and_what_did_not_is_left(source: Path, tmp_path: Path) -> None:
    target = source.with_suffix(".mo")
    assert translations_compile(tmp_path) == [target]
    assert translations_compile(tmp_path) == []
    later = target.stat().st_mtime + 10
    os.utime(source, (later, later))
    assert translations_compile(tmp_path) == [], "the time alone is no change"
    source.write_text(TEXT.replace("Einsatz", "Wette"))
    os.utime(source, (later, later))
    assert translations_compile(tmp_path) == [target]
    assert set(source.parent.iterdir()) == {source, target}


def test_a_doubtful_translation_is_not_shown(source: Path, tmp_path: Path) -> None:
    translations_compile(tmp_path)
    german = gettext.translation("django", tmp_path, ["de"])
    assert german.gettext("Stake") == "Einsatz"
    assert german.gettext("Rake") == "Rake"
