"""The name of a variant or a series on a page."""

from django import template

from games.forms.names import GAME_NAMES

register = template.Library()


@register.filter
def variant_name(key: str) -> str:
    """The name of a variant or a series, or the key itself of one that is played no more."""
    return str(GAME_NAMES.get(key, key))
