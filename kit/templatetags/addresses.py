"""Addresses in long lists."""

from functools import cache
from urllib.parse import quote
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def address(name: str, pk: UUID) -> SafeString:
    """The address of the page `name` about the thing of this id.

    As `{% url name pk %}`, but the address is looked up once in a process and filled in for each
    row. The characters of a UUID mean nothing in HTML.
    """
    before, after = _around(name)
    return SafeString(f"{before}{UUID.__str__(pk)}{after}")


@register.simple_tag
def address_of(name: str, username: str) -> SafeString:
    """The address of the page `name` about the person of this name, in the same way."""
    before, after = _around(name)
    return SafeString(f"{before}{quote(username)}{after}")


@cache
def _around(name: str) -> tuple[str, str]:
    """The text before and behind the id in the addresses of a page."""
    blank = UUID(int=0)
    before, _blank, after = reverse(name, args=[blank]).partition(str(blank))
    return before, after
