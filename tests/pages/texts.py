"""The texts of the project that a reader may see, read from the sources as gettext does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.extract import extract
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
PYTHON_FOLDERS = (
    "accounts",
    "analysis",
    "backgammon",
    "fairplay",
    "games",
    "house",
    "kit",
    "ledger",
    "platform",
    "ratings",
    "tournaments",
)
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|(?<!%)%s|\{\w+\}")


@dataclass(frozen=True, slots=True)
class Text:
    """A text by its key in the catalogue; `plural` is empty for texts without a number."""

    context: str
    singular: str
    plural: str
    where: str


def texts() -> Iterator[Text]:
    """Every text of templates and Python files, with its file."""
    pages = ROOT / "templates"
    for path in sorted([*pages.rglob("*.html"), *pages.rglob("*.txt")]):
        yield from _texts_of(path, templatize(path.read_text("utf-8"), origin=str(path)))
    for folder in PYTHON_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _texts_of(path, path.read_text("utf-8"))


def placeholders(text: str) -> set[str]:
    """The placeholders that a translation must keep: %(name)s, %s and {name}."""
    return set(PLACEHOLDER.findall(text))


def _texts_of(path: Path, source: str) -> Iterator[Text]:
    if path.suffix != ".py":
        # Django turns a template into Python, except for the indentation.
        source = "\n".join(line.strip() for line in source.splitlines())
    where = str(path.relative_to(ROOT))
    for _, message, _, context in extract("python", BytesIO(source.encode()), KEYWORDS):
        singular, plural = message if isinstance(message, tuple) else (message, "")
        if singular:
            yield Text(context or "", singular, plural, where)
