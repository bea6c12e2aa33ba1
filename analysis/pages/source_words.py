"""The sites and programs that matches come from, in words."""

from typing import Final

from django.utils.translation import gettext as _

from analysis.models.imports import HERE, PRACTICE, UNKNOWN
from house.reader import house_now

#: the name of each.
SOURCES: Final[dict[str, str]] = {
    "pasch": "Pasch",
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
    if source == HERE:
        return house_now().name
    if source == PRACTICE:
        return _("games against bots")
    if source == UNKNOWN:
        return _("unknown source")
    return SOURCES.get(source, source.title())
