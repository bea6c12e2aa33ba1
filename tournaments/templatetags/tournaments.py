"""Tournaments on other pages: called matches at the top of every page, a table's tournament."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import template
from django.utils.safestring import SafeString

from accounts.models import User
from kit.fragments import Values, fragment
from tournaments.pages.calendar import places_rows, seats_of, sides_rows
from tournaments.pages.reader import call_rows
from tournaments.pools import Pool
from tournaments.selectors import tournament_of_table
from tournaments.services.words import name_of

register = template.Library()


@register.simple_tag
def tournament_calls(user: User) -> list[dict[str, Any]]:
    """The matches of tournaments that this person is called to."""
    return call_rows(user.pk)


@register.simple_tag
def tournament_at(table_id: UUID, reader: int | None) -> dict[str, Any] | None:
    """Id and name of the tournament whose match is played at this table, if the reader sees it."""
    found = tournament_of_table(table_id, reader)
    return None if found is None else {"id": found.pk, "name": name_of(found)}


@register.simple_tag
def go_facts(row: Mapping[str, Any]) -> SafeString:
    """The costs and prizes of a sit-and-go, in its card of the calendar."""
    added_cents = row["tournament"].added_cents
    return _go_facts(
        row["full"], row["most"], added_cents, row["target"], row["with_bots"], row["rated"]
    )


@fragment("tournaments/go_facts.html")
def _go_facts(
    full: Pool, most: int, added_cents: int, target: str | None, with_bots: bool, rated: bool
) -> Values:
    row = {
        "full": full,
        "full_places": places_rows(full.of_places()),
        "full_sides": sides_rows(full),
        "fee_cents": full.fee_cents,
        "most": most,
        "added_cents": added_cents,
        "target": target,
        "with_bots": with_bots,
        "rated": rated,
    }
    return {"row": row}


@register.simple_tag
def go_seats(row: Mapping[str, Any]) -> SafeString:
    """The taken and free seats of a sit-and-go, in its card of the calendar."""
    return _go_seats(row["taken"], row["most"])


@fragment("tournaments/seats.html")
def _go_seats(taken: int, most: int) -> Values:
    return {"row": {"taken": taken, "most": most, "seats": seats_of(taken, most)}}


@register.simple_tag
def calendar_facts(row: Mapping[str, Any]) -> SafeString:
    """The costs and entries of a tournament, in its row of the calendar."""
    added_cents = row["tournament"].added_cents
    return _calendar_facts(
        row["fee_cents"], added_cents, row["rake_each_cents"], row["taken"], row["most"]
    )


@fragment("tournaments/calendar_facts.html")
def _calendar_facts(
    fee_cents: int, added_cents: int, rake_each_cents: int, taken: int, most: int
) -> Values:
    return {
        "fee_cents": fee_cents,
        "added_cents": added_cents,
        "rake_each_cents": rake_each_cents,
        "taken": taken,
        "most": most,
    }
