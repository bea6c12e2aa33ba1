"""What the documents say is so: links, headings, paths, examples, and lists of rules."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

from tests.architecture.sources import ROOT, named
from tests.rules.rules_page import PAGE, with_table

PAGES = sorted(
    page
    for pattern in (
        "*.md",
        "docs/*.md",
        "backgammon/*.md",
        "deploy/**/*.md",
        "bench/results/*.md",
        ".github/*.md",
    )
    for page in ROOT.glob(pattern)
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SPAN = re.compile(r"`([^`\n]+)`")
#: files that a guide makes, or that a running house has
MADE = re.compile(r"var/|house/(?:web|work)|deploy/(?:\.env|tls)|.*(?:longgammon|prize7)")
ROOTS = {path.name for path in ROOT.iterdir() if path.is_dir()}


def anchors(page: Path) -> set[str]:
    """The headings of a page, as a forge makes addresses of them."""
    headings = re.findall(r"(?m)^#+ (.+)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in LINK.findall(page.read_text("utf-8")):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            there = target.exists() and (not anchor or anchor in anchors(target))
            if "://" not in link and not there:
                broken.append(f"{named(page)}: {link}")
    assert broken == []


def test_every_path_of_a_document_is_there() -> None:
    missing = [
        f"{named(page)}: {span}"
        for page in PAGES
        for span in SPAN.findall(page.read_text("utf-8"))
        if re.fullmatch(r"[\w.-]+/[\w./-]+", span) and span.split("/")[0] in ROOTS
        if not MADE.match(span) and not (ROOT / span).exists()
    ]
    assert missing == []


def test_the_index_names_every_document() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if f"({name}" not in index] == []


# --- the pages about the rules --------------------------------------------------------------------


def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_every_decision_named_anywhere_is_on_the_page() -> None:
    listed = set(re.findall(r"\bD\d+\b", PAGE.read_text()))
    vectors = json.loads((ROOT / "backgammon/tests/vectors/rules.json").read_text())
    named = {number for case in vectors["moves"] for number in case["decisions"]}
    for path in (
        *ROOT.glob("backgammon/rules/**/*.py"),
        *ROOT.glob("backgammon/tests/rules/*.py"),
    ):
        named |= set(re.findall(r"\bD\d+\b", path.read_text()))
    assert sorted(named - listed) == []


def test_the_table_of_variants_is_that_of_the_registry() -> None:
    page = PAGE.read_text()
    assert page == with_table(page), "`python -m tests.rules.golden` writes the table"


# --- the page about formats -----------------------------------------------------------------------
DOCS = Path(__file__).parents[2] / "docs" / "formats.md"


def test_the_example_in_the_docs_runs() -> None:
    examples = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, str(DOCS), "exec"), {})
