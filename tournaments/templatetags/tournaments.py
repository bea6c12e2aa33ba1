"""Tournaments on other pages: called matches at the top of every page, a table's tournament."""

from typing import Any
from uuid import UUID

from django import template

from accounts.models import User
from tournaments.pages.reader import call_rows
from tournaments.pages.words import name_of
from tournaments.selectors import tournament_of_table

register = template.Library()


@register.simple_tag
def tournament_calls(user: User) -> list[dict[str, Any]]:
    """The matches of tournaments that this person is called to."""
    return call_rows(user.pk)


@register.simple_tag
def tournament_at(table_id: UUID) -> dict[str, Any] | None:
    """Id and name of the tournament whose match is played at this table, if it is one's."""
    found = tournament_of_table(table_id)
    return None if found is None else {"id": found.pk, "name": name_of(found)}
