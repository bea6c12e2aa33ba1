"""One format of dates and times on all pages, in the reader's zone."""

import re
from datetime import UTC, datetime

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from pasch.templatetags.shell import second
from tests.pages.texts import ROOT

#: formats of platform/pasch/formats, Django's for months, and ISO for the attribute
ALLOWED = {
    *("c", "DATE_FORMAT", "SHORT_DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATETIME_FORMAT"),
    *("YEAR_MONTH_FORMAT", "M"),
}
WHEN = datetime(2026, 11, 22, 20, 14, tzinfo=UTC)


def test_templates_use_no_other_format() -> None:
    found = []
    for path in (ROOT / "templates").rglob("*.html"):
        formats = re.findall(r"\|(?:date|time):\"([^\"]*)\"", path.read_text())
        found += [f"{path.name}: {name}" for name in formats if name not in ALLOWED]
    assert found == []


def test_scripts_write_dates_in_one_place() -> None:
    scripts = [*(ROOT / "static" / "js").rglob("*.js"), *(ROOT / "static" / "board").rglob("*.js")]
    found = {
        path.name for path in scripts if re.search("DateTimeFormat|dateStyle", path.read_text())
    }
    assert found == {"dates.js"}


@pytest.mark.parametrize(
    ("language", "written"), [("en", "22 Nov 2026, 20:14 UTC"), ("de", "22.11.2026, 20:14 UTC")]
)
def test_a_moment_is_written_the_european_way(language: str, written: str) -> None:
    with translation.override(language):
        assert f">{written}</time>" in render_to_string("shell/time.html", {"when": WHEN})


def test_a_moment_with_seconds_is_written_the_same_way() -> None:
    with translation.override("de"):
        assert ">22.11.2026, 20:14:00 UTC</time>" in second(WHEN)
