"""The outcome of matches in the reader's words, for a page that knows only ids."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django import template
from django.utils.translation import gettext as _

from games.models import Match

register = template.Library()


@register.simple_tag
def matches_told(rows: Iterable[Any], reader_id: int) -> Mapping[str, str]:
    """By the id of each match among these rows: against whom it was, and who won. One query."""
    ids = {row.subject_id for row in rows if row.subject == "match"}
    known = [each for each in ids if _is_id(each)]
    found = Match.objects.filter(pk__in=known).select_related("player_0", "player_1")
    return {str(match.pk): _told(match, reader_id) for match in found}


@register.filter
def of(told: Mapping[str, str], key: str) -> str:
    """The text of this key; empty without one."""
    return told.get(key, "")


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _told(match: Match, reader_id: int) -> str:
    mine = match.players.index(reader_id) if reader_id in match.players else None
    other = match.player_1 if mine == 0 else match.player_0
    name = {"name": other.get_username()}
    if match.ended_at is None:
        return _("Running match against %(name)s") % name
    if match.winner_seat is None:
        return _("Match against %(name)s, without a winner") % name
    if match.winner_seat == mine:
        return _("Won against %(name)s") % name
    return _("Lost against %(name)s") % name
