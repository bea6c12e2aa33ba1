"""What the documents point at is there: links, their headings, and paths of the project."""

import re
from pathlib import Path

from tests.architecture.sources import ROOT, named

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
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}


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
        if re.fullmatch(r"[\w.-]+/[\w./-]+", span) and span.split("/")[0] in FOLDERS
        if not MADE.match(span) and not (ROOT / span).exists()
    ]
    assert missing == []


def test_the_index_names_every_document() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert [name for name in sorted(pages) if f"({name}" not in index] == []
