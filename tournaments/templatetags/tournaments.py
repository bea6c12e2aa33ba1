"""The called matches of a person, for the top of every page."""

from typing import Any

from django import template

from accounts.models import User
from tournaments.pages.reader import call_rows

register = template.Library()


@register.simple_tag
def tournament_calls(user: User) -> list[dict[str, Any]]:
    """The matches of tournaments that this person is called to."""
    return call_rows(user.pk)
