"""The texts of the project that a reader may see, read from the sources as gettext does."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.extract import extract
from django.utils.translation.template import templatize

from pasch.assets.script_texts import ScriptText, texts_of

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
    """Every text of templates, Python files and scripts, with its file."""
    pages = ROOT / "templates"
    for path in sorted([*pages.rglob("*.html"), *pages.rglob("*.txt")]):
        yield from _texts_of(path, templatize(path.read_text("utf-8"), origin=str(path)))
    for folder in PYTHON_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _texts_of(path, path.read_text("utf-8"))

    for path in scripts():
        for context, singular, plural in texts_of(path.read_text("utf-8")):
            yield Text(context, singular, plural, str(path.relative_to(ROOT)))


def scripts() -> list[Path]:
    """The scripts of the pages."""
    return sorted((ROOT / "static").rglob("*.js"))


def read_by_babel(path: Path) -> set[ScriptText]:
    """The texts of a script, as far as another reader finds them: not those within other texts."""
    keywords = {"say": (1,), "sayIn": ((1, "c"), 2), "sayCount": (1, 2)}
    found = set()
    with path.open("rb") as source:
        for _, message, _, context in extract("javascript", source, keywords):
            singular, plural = message if isinstance(message, tuple) else (message, "")
            found.add(ScriptText(context or "", singular, plural))
    return found


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
