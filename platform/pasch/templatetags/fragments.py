"""Parts of pages that are the same for every reader (`kit.fragments`)."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.faces import face_of
from accounts.models import User
from backgammon.rules.position import Position
from games.forms.filters import FilterForm
from games.modes.terms import Terms
from games.pages.words import terms_facts, terms_words
from kit.fragments import Values, fragment
from kit.templatetags.addresses import address_of
from ledger.forms import EntryFilterForm, VoucherForm
from pasch.templatetags.shell import face

register = template.Library()

#: the parts of a person that shell/player.html shows
_LINE: Final = ("name", "elo", "strength", "plays_as", "face")


@register.simple_tag
@fragment("games/terms_words.html")
def card_words(terms: Terms, strength_span: int | None = None) -> Values:
    """Mode, clock and rules of a table in one line, and the strength that its guest may have."""
    return {"terms": {**terms_words(terms), "strength_span": strength_span}}


@register.simple_tag
def filter_fields(filters: FilterForm) -> SafeString:
    """The fields of the lobby's filters, as they are set."""
    return _filter_fields(**filters.wanted())


@fragment("games/filter_fields.html")
def _filter_fields(**wanted: str | bool) -> Values:
    data = {name: "on" if value is True else value for name, value in wanted.items()}
    return {"filters": FilterForm(data, auto_id="filter_%s")}


@register.simple_tag
@fragment("games/archive_result.html")
def archive_result(result: str, score: tuple[int, int], by_point: bool) -> Values:
    """How a match came out for its player."""
    return {"result": result, "score": score, "by_point": by_point}


@register.simple_tag
def day_board(day: Mapping[str, Any]) -> SafeString:
    """The board of the position of the day, drawn once in a process."""
    return _day_board(day["position"], tuple(day["dice"]), day["cube"], day["cube_owner"])


@fragment("pasch/day_board.html")
def _day_board(
    position: Position, dice: tuple[int, ...], cube: int | None, cube_owner: str | None
) -> Values:
    return {"position": position, "dice": dice, "cube": cube, "cube_owner": cube_owner}


@register.simple_tag
@fragment("ledger/entry_fields.html")
def entry_fields() -> Values:
    """The fields that choose entries of the wallet, where nothing is chosen."""
    return {"filter": EntryFilterForm({})}


@register.simple_tag
@fragment("ledger/voucher_field.html")
def voucher_field() -> Values:
    """The field for the code of a voucher."""
    return {"voucher": VoucherForm()}


@register.simple_tag
def player_link(person: User) -> SafeString:
    """A player's face and name, as a link to their page if there is one.

    Not kept: lists have so many names that most are new to a process.
    """
    name = person.get_username()
    drawn = face(face_of(person.pk, name))
    if not person.has_page:
        line = '<span class="player">{}<span class="player-name">{}</span></span>'
        return format_html(line, drawn, name)
    line = '<span class="player">{}<a class="player-name" href="{}">{}</a></span>'
    return format_html(line, drawn, address_of("player", name), name)


@register.simple_tag
def table_card(table: Mapping[str, Any], signed_in: bool) -> SafeString:
    """An open table in the list of the lobby, with what its reader can do there."""
    pair = table["pair"]
    return _card(
        table["id"],
        tuple(table["opener"].items()),
        table["terms"],
        table["strength_span"],
        _action(table, signed_in),
        pair.matches if pair and not pair.rated else None,
    )


def _action(table: Mapping[str, Any], signed_in: bool) -> str:
    if table["mine"]:
        return "mine"
    if not signed_in:
        return "login"
    return "join" if table["affordable"] else "short"


@fragment("games/table_card.html")
def _card(
    table_id: UUID,
    opener: tuple[tuple[str, Any], ...],
    terms: Terms,
    strength_span: int | None,
    action: str,
    unrated_matches: int | None,
) -> Values:
    return {
        "id": table_id,
        "opener": dict(opener),
        "terms": terms,
        "facts": terms_facts(terms),
        "strength_span": strength_span,
        "action": action,
        "unrated_matches": unrated_matches,
    }


@register.simple_tag
def player_line(player: Mapping[str, Any]) -> SafeString:
    """A player with their strength, as shell/player.html shows one."""
    return _line(*(player.get(part) for part in _LINE))


@fragment("shell/player.html")
def _line(*parts: str | int | None) -> Values:
    return {"player": dict(zip(_LINE, parts, strict=True))}
