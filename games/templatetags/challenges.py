"""The challenges that wait for the reader, on every page from its first byte on."""

from collections.abc import Iterable

from django import template
from django.contrib.auth.base_user import AbstractBaseUser

from games.models import Challenge
from games.selectors import challenges_waiting_for

register = template.Library()


@register.simple_tag
def challenges_for(user: AbstractBaseUser) -> Iterable[Challenge]:
    """What this person can answer: a page that fetched it later would jump."""
    return challenges_waiting_for(user.pk)
