"""Boards that the server draws: `{% board_paint %}` once on a page, then `{% board_drawing %}`."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from backgammon.pictures.board import Arrow, Part, picture
from backgammon.pictures.geometry import Side
from backgammon.pictures.svg import drawing, paint, symbol
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from games.pages.board_pictures import board_address

register = template.Library()


@register.simple_tag
def board_paint() -> SafeString:
    """The parts that all boards of the page share; once, before the first of them."""
    return SafeString(paint())


@register.simple_tag
def start_boards(variants: Sequence[str]) -> SafeString:
    """The start positions of these variants, for `<use href="#start-VARIANT"/>` in an SVG."""
    ways = [by_key(key) for key in variants]
    drawn = [symbol(picture(each.start, each.way), f"start-{each.key}") for each in ways]
    head = '<svg class="bg board-paint" width="0" height="0" aria-hidden="true" focusable="false">'
    return SafeString(f"{head}{''.join(drawn)}</svg>" if drawn else "")


@register.simple_tag(takes_context=True)
def shared_board(
    context: Context,
    position: Position | str | None = None,
    variant: str = "backgammon",
    *,
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
) -> SafeString:
    """The picture of a link to this page: a board, without a position that of the start."""
    board = Position.parse(position) if isinstance(position, str) else position
    address = board_address(board, variant, dice, cube, cube_owner)
    request = context.get("request")
    return format_html(
        '<meta property="og:image" content="{}">',
        request.build_absolute_uri(address) if request else address,
    )


@register.simple_tag
def board_drawing(
    position: Position | str,
    variant: str = "backgammon",
    *,
    turned: bool = False,
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
    arrows: Sequence[Arrow | tuple[Any, ...]] = (),
    directions: bool = False,
    labels: Mapping[int, str] | None = None,
    part: Part = "all",
    alt: str | None = None,
) -> SafeString:
    """A board of a variant; the mover has the light checkers unless `turned`.

    `position` is a `Position`, or its text in the mover's view. `arrows` are `Arrow`s, or tuples
    of source, target, badge and kind ("best", "second", "theirs", "wrong"), in the mover's
    numbers. `labels` replaces numbers on the frame. `part` shows a half or a quarter. `alt` is
    the position in words unless it is given; "" hides a drawing that only repeats the text.

    :raises UnknownVariant: if there is no such variant.
    :raises InvalidPosition: if the text is no position.
    """
    board = Position.parse(position) if isinstance(position, str) else position
    way = by_key(variant).way
    drawn = picture(
        board,
        way,
        turned=turned,
        dice=dice,
        cube=cube,
        cube_owner=cube_owner,
        arrows=[Arrow(*each) for each in arrows],
        directions=directions,
        labels=labels,
        part=part,
    )
    words = position_words(board.turned(way) if turned else board) if alt is None else alt
    return SafeString(drawing(drawn, words))


def position_words(seen: Position) -> str:
    """A position in words, one sentence for each side, in the numbers of its mover."""
    light, dark = seen.own(), seen.opposing()
    said = [
        _("Light: {points}; bar {bar}; off {off}.").format(
            points=_counts(light), bar=seen.bar[0], off=seen.off[0]
        ),
        _("Dark: {points}; bar {bar}; off {off}.").format(
            points=_counts(dark), bar=seen.bar[1], off=seen.off[1]
        ),
    ]
    if any(seen.hand):
        said.append(
            _("Not entered yet: light {light}, dark {dark}.").format(
                light=seen.hand[0], dark=seen.hand[1]
            )
        )
    if seen.pinned:
        said.append(_("Pinned on: {points}.").format(points=", ".join(map(str, seen.pinned))))
    return " ".join(said)


def _counts(checkers: Mapping[int, int]) -> str:
    on_points = sorted((point for point in checkers if point <= 24), reverse=True)
    return (
        ", ".join(
            _("{count} on {point}").format(count=checkers[point], point=point)
            for point in on_points
        )
        or "–"
    )
