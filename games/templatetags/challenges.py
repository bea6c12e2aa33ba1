"""The challenges that wait for the reader, on every page from its first byte on."""

from collections.abc import Iterable
from typing import Final

from django import template

from accounts.models import User
from games.models import Challenge
from games.selectors import challenges_waiting_for
from kit.database import read_cursor

register = template.Library()

#: whether somebody challenges a person, or did and the sweep has not closed it yet.
_CHALLENGED: Final = """
SELECT EXISTS (SELECT FROM games_challenge WHERE challenged_id = %s AND state = 'waiting')
"""


@register.simple_tag
def challenges_for(user: User) -> Iterable[Challenge]:
    """The challenges this person can answer; fetched later, they would make the page jump.

    Most readers of a page have none: one short query says so.
    """
    with read_cursor(Challenge) as cursor:
        cursor.execute(_CHALLENGED, [user.pk])
        (challenged,) = cursor.fetchone()
    return challenges_waiting_for(user.pk) if challenged else ()
