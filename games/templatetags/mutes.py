"""The people a reader has muted, for their account page."""

from django import template

from games.models import Mute
from games.selectors import mutes_of

register = template.Library()


@register.simple_tag
def muted_people(user_id: int) -> list[Mute]:
    """The reader's mutes, by name."""
    return list(mutes_of(user_id))
