"""The sites and programs that matches come from, in words."""

from typing import Final

#: the name of each.
SOURCES: Final[dict[str, str]] = {
    "galaxy": "Galaxy",
    "heroes": "Heroes",
    "xg": "XG",
    "gnu": "GNU Backgammon",
    "fibs": "FIBS",
    "gridgammon": "GridGammon",
    "bgblitz": "BGBlitz",
}


def source_words(source: str) -> str:
    """The name of a source; "" if it is not known."""
    return SOURCES.get(source, source.title())
