"""The matches of a guest, for the pages around registering."""

from django import template

from games.selectors import matches_begun

register = template.Library()


@register.simple_tag
def matches_kept(user_id: int) -> int:
    """How many matches a guest has, or brought along into an account that is new."""
    return matches_begun(user_id)
