"""The challenges that wait for the reader, on every page from its first byte on."""

from collections.abc import Iterable

from django import template

from accounts.models import User
from games.models import Challenge
from games.selectors import challenges_waiting_for

register = template.Library()


@register.simple_tag
def challenges_for(user: User) -> Iterable[Challenge]:
    """The challenges this person can answer; fetched later, they would make the page jump."""
    return challenges_waiting_for(user.pk)
