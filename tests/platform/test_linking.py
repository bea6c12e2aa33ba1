"""Linked scripts, style sheets and translations do as before, and are made anew when changed."""

import gettext
import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from pasch.assets.linking import JS_IMPORT, LinkError, script_linked, styles_linked
from pasch.assets.prepared import is_collected, sources_digest, stamp_path, translations_compile
from pasch.assets.storage import LINKED
from tests.pages.texts import ROOT

FILES = {
    "css/all.css": '@import url("a.css");\n@import url("b.css");\n',
    "css/a.css": "a { top: 0 }\n",
    "css/b.css": "b { top: 0 }\n",
    "js/page.js": 'import { one, two as zwei } from "./parts/x.js";\n'
    'import * as y from "../y.js";\n'
    "show(one, zwei, y.three);\n",
    "js/parts/x.js": 'import { three } from "../../y.js";\nexport const one = three - 2;\n'
    "export function two() {}\n",
    "y.js": "export const three = 3;\n",
}


def source(name: str) -> str:
    return (ROOT / "static" / name).read_text(encoding="utf-8")


def test_a_style_sheet_holds_its_imports_in_their_order() -> None:
    linked = styles_linked("css/all.css", FILES.__getitem__)
    assert " ".join(linked.split()) == "a { top: 0 } b { top: 0 }"


def test_a_script_comes_after_what_it_imports_and_each_module_once() -> None:
    linked = script_linked("js/page.js", FILES.__getitem__)
    assert linked.count("three = 3") == 1
    assert linked.index("three = 3") < linked.index("one = three - 2") < linked.index("show(")
    assert "const { one, two: zwei } = $module1;" in linked
    assert "const y = $module0;" in linked
    assert "return { one, two };" in linked


@pytest.mark.parametrize(
    "line", ["export default 1;", "export let a;", 'import "./y.js";', 'export * from "./y.js";']
)
def test_what_is_not_understood_is_refused_by_file(line: str) -> None:
    with pytest.raises(LinkError, match=r"js/odd\.js"):
        script_linked("js/odd.js", {"js/odd.js": f"{line}\n"}.__getitem__)


def test_every_script_that_a_page_loads_contains_its_imports_when_collected() -> None:
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")
    )
    loaded = set(re.findall(r"{% (?:static|script) '([a-z/-]+\.js)' %}", pages))
    assert "js/table.js" in loaded
    assert {name for name in loaded if JS_IMPORT.search(source(name))} <= LINKED.keys()


@pytest.mark.parametrize("name", LINKED)
def test_our_own_files_can_be_linked(name: str) -> None:
    linked = LINKED[name](name, source)
    assert "@import" not in linked
    assert len(linked) > len(source(name))


# --- collected files ------------------------------------------------------------------------------
def test_files_that_were_collected_without_names_of_their_own_are_collected_again(
    settings: Any, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = str(tmp_path)
    assert not is_collected()
    stamp_path().write_text(sources_digest())
    assert is_collected()
    kept = settings.STORAGES
    settings.STORAGES = {**kept, "staticfiles": {"BACKEND": "another.Storage"}}
    assert not is_collected()
    settings.STORAGES = kept
    assert is_collected()


# --- compiled translations ------------------------------------------------------------------------
TEXT = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Stake"
msgstr "Einsatz"

#, fuzzy
msgid "Rake"
msgstr "Harke"
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    catalogue = tmp_path / "de" / "LC_MESSAGES" / "django.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(TEXT)
    return catalogue


def test_what_changed_is_compiled_and_what_did_not_is_left(catalogue: Path, tmp_path: Path) -> None:
    target = catalogue.with_suffix(".mo")
    assert translations_compile(tmp_path) == [target]
    assert translations_compile(tmp_path) == []
    later = target.stat().st_mtime + 10
    os.utime(catalogue, (later, later))
    assert translations_compile(tmp_path) == [], "the time alone is no change"
    catalogue.write_text(TEXT.replace("Einsatz", "Wette"))
    os.utime(catalogue, (later, later))
    assert translations_compile(tmp_path) == [target]
    assert set(catalogue.parent.iterdir()) == {catalogue, target}


def test_a_translation_without_a_time_is_compiled_to_the_same_bytes_at_any_time(
    catalogue: Path, tmp_path: Path
) -> None:
    catalogue.write_text(re.sub(r'(?m)^"POT-Creation-Date.*\n', "", TEXT))
    translations_compile(tmp_path)
    compiled = catalogue.with_suffix(".mo").read_bytes()
    assert f"{timezone.now():%Y-%m-%d}".encode() not in compiled


def test_a_doubtful_translation_is_not_shown(catalogue: Path, tmp_path: Path) -> None:
    translations_compile(tmp_path)
    german = gettext.translation("django", tmp_path, ["de"])
    assert german.gettext("Stake") == "Einsatz"
    assert german.gettext("Rake") == "Rake"
