"""Parts of pages that are the same for every reader (`accounts.fragments`)."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from accounts.fragments import Values, fragment
from games.modes.terms import Terms
from games.pages.words import terms_facts, terms_words
from games.templatetags.practice import practice_form

register = template.Library()


@register.simple_tag
@fragment("games/table_card_facts.html")
def card_facts(terms: Terms) -> Values:
    """The costs and payouts of a table of these terms, in its card of the lobby."""
    return terms_facts(terms)


@register.simple_tag
@fragment("games/terms_words.html")
def card_words(terms: Terms, strength_span: int | None = None) -> Values:
    """Mode, clock and rules of a table in one line, and the strength that its guest may have."""
    return {"terms": {**terms_words(terms), "strength_span": strength_span}}


@register.simple_tag
@fragment("games/practice_fields.html")
def practice_fields() -> Values:
    """The fields of the practice card; what the house offers in practice has no price."""
    return {"form": practice_form()}


@register.simple_tag
def player_line(player: Mapping[str, Any]) -> SafeString:
    """A player with their strength, as shell/player.html shows one."""
    return _line(player["name"], player["elo"], player["strength"], player.get("plays_as"))


@fragment("shell/player.html")
def _line(name: str, elo: int | None, strength: int | None, plays_as: str | None) -> Values:
    return {"player": {"name": name, "elo": elo, "strength": strength, "plays_as": plays_as}}
