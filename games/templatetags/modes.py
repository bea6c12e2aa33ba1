"""Names of modes in templates."""

from django import template

from games.forms.names import MODE_NAMES

register = template.Library()


@register.filter
def mode_name(key: str) -> str:
    """The name of the mode with this key. Raises `KeyError` for a mode that does not exist."""
    return str(MODE_NAMES[key])
