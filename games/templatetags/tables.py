"""Tags about tables: names of modes and variants, challenges, running games, practice."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import template
from django.template.context import Context
from django.utils.translation import gettext as _

from accounts.guests import person_of
from accounts.models import User
from backgammon.bots.strength import LEVELS
from backgammon.engines.house import ANALYSED
from games.forms.names import GAME_NAMES, MODE_NAMES
from games.forms.practice import LevelWords, PracticeForm, levels_in_words, opponent_name, pr_text
from games.models import Challenge, Match, Mute
from games.selectors import challenges_waiting_for, matches_begun, mutes_of
from games.selectors_bots import ladder_of, next_rung
from games.services.house_bots import ALONE
from games.services.running import running_of
from kit.database import read_cursor
from kit.plain_text import is_uuid

register = template.Library()


@register.filter
def mode_name(key: str) -> str:
    """The name of the mode with this key. Raises `KeyError` for a mode that does not exist."""
    return str(MODE_NAMES[key])


@register.filter
def variant_name(key: str) -> str:
    """The name of a variant or a series, or the key itself of one that is played no more."""
    return str(GAME_NAMES.get(key, key))


@register.simple_tag
def analysed_variants() -> str:
    """The keys of the variants whose matches the house analyses, separated by spaces."""
    return " ".join(sorted(ANALYSED))


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


@register.simple_tag(takes_context=True)
def running_games(context: Context) -> list[dict[str, Any]]:
    """The reader's running games: one query for a person or guest, none for a stranger.

    The page of a table leaves out its own, and a page that has read them gives them as `running`.
    """
    request = context.get("request")
    if request is None:
        return []
    if "running_games" in context:
        return list(context["running_games"])
    person_id = person_of(request)
    here = context.get("table_id")
    return [] if person_id is None else running_of(person_id, [here] if here else ())


@register.simple_tag
def matches_told(rows: Iterable[Any], reader_id: int) -> Mapping[str, str]:
    """By the id of each match among these rows: against whom it was, and who won. One query."""
    ids = {row.subject_id for row in rows if row.subject == "match"}
    known = [each for each in ids if is_uuid(each)]
    found = Match.objects.filter(pk__in=known).select_related("player_0", "player_1")
    return {str(match.pk): _told(match, reader_id) for match in found}


@register.filter
def of(told: Mapping[str, str], key: str) -> str:
    """The text of this key; empty without one."""
    return told.get(key, "")


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


@register.simple_tag
def matches_kept(user_id: int) -> int:
    """How many matches a guest has, or brought along into an account that is new."""
    return matches_begun(user_id)


@register.simple_tag
def muted_people(user_id: int) -> list[Mute]:
    """The reader's mutes, by name."""
    return list(mutes_of(user_id))


@register.inclusion_tag("games/practice_bots.html", takes_context=True)
def practice_bots(context: Context, form: PracticeForm) -> dict[str, Any]:
    """The house bots as a ladder to choose from, with the reader's results."""
    chosen = str(form["strength"].value())
    return {
        **_ladder(context, chosen),
        "field": form["strength"],
        "alone": opponent_name(ALONE),
        "alone_chosen": chosen == ALONE,
    }


@register.inclusion_tag("games/play_bots.html", takes_context=True)
def bot_cards(context: Context) -> dict[str, Any]:
    """The house bots, each to play with at once; the next rung of the reader is marked."""
    return {**_ladder(context), "csrf_token": context.get("csrf_token")}


def _ladder(context: Context, chosen: str | None = None) -> dict[str, Any]:
    """The six rungs with the results of the reader; without a chosen one the next is."""
    person_id = person_of(context["request"])
    ladder = {} if person_id is None else ladder_of(person_id)
    upwards = next_rung(ladder)
    if chosen is None and ladder:
        chosen = upwards
    levels = levels_in_words()
    return {
        "bots": [
            {"level": level, "rung": ladder.get(level.key), "chosen": level.key == chosen}
            for level in levels
        ],
        "climbed": sum(rung.climbed for rung in ladder.values()) if ladder else None,
        "next": next((level.bot for level in levels if level.key == upwards), ""),
    }


@register.simple_tag
def house_bot_levels() -> list[LevelWords]:
    """Every level of the house bot with its sentence and its measured PR."""
    return levels_in_words()


@register.filter
def house_bot_words(plays_as: str) -> str:
    """How strong a house bot plays, in words; `plays_as` as in the view of its table."""
    return bot_names()[plays_as]


def bot_names() -> dict[str, str]:
    """The words beside the name of a house bot, by its level."""
    names = {
        level.key: _("Bot · %(level)s") % {"level": opponent_name(level.key)} for level in LEVELS
    }
    return {**names, "alone": _("both sides are yours")}


def bot_rates() -> dict[str, str]:
    """The PR of each level in words."""
    return {level.key: pr_text(level) for level in LEVELS}
