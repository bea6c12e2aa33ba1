"""The name of a variant on a page."""

from django import template

from games.forms.names import VARIANT_NAMES

register = template.Library()


@register.filter
def variant_name(key: str) -> str:
    """Return the name of a variant, or the key itself of one that is played no more."""
    return str(VARIANT_NAMES.get(key, key))
