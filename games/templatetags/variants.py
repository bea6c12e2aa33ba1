"""The name of a variant or a series on a page."""

from django import template

from backgammon.engines.analysed import ANALYSED
from games.forms.names import GAME_NAMES

register = template.Library()


@register.filter
def variant_name(key: str) -> str:
    """The name of a variant or a series, or the key itself of one that is played no more."""
    return str(GAME_NAMES.get(key, key))


@register.simple_tag
def analysed_variants() -> str:
    """The keys of the variants whose matches the house analyses, separated by spaces."""
    return " ".join(sorted(ANALYSED))
