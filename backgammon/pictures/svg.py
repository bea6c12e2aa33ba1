"""Boards as SVG text: for a page that brings its own colours, or as a file that stands alone.

A page has `paint` once, before its first board: the empty board, and a checker of each side, to
which every `drawing` refers. `svg` is all of it in one text, with colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Final

from backgammon.pictures.board import (
    Arrow,
    Checker,
    Die,
    DrawnCube,
    Label,
    Part,
    Picture,
    Slab,
    picture,
)
from backgammon.pictures.geometry import Side
from backgammon.pictures.marks import Mark
from backgammon.pictures.scenery import empty_board
from backgammon.rules.position import Position, Way

_FOLDER: Final = Path(__file__).parent
_XMLNS: Final = 'xmlns="http://www.w3.org/2000/svg"'


def svg(
    position: Position,
    *,
    way: Way = Way.AGAINST,
    turned: bool = False,
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
    arrows: Iterable[Arrow] = (),
    labels: Mapping[int, str] | None = None,
    part: Part = "all",
    alt: str = "",
) -> str:
    """A drawn board as a file of its own, with its colours.

    The mover has the light checkers, and their home is at the lower right, unless `turned`. `cube`
    is what the cube shows, None without one; it lies at the mover's ("me") or the opponent's
    ("op"). `arrows` are in the mover's numbers; `pictures.plays.play_arrows` makes them from a
    play. `way` is the variant's. `alt` says in words what is seen.
    """
    drawn = picture(
        position,
        way,
        turned=turned,
        dice=dice,
        cube=cube,
        cube_owner=cube_owner,
        arrows=tuple(arrows),
        labels=labels,
        part=part,
    )
    return styled(_head(drawn, alt), _body(drawn))


def styled(head: str, body: str) -> str:
    """Return a file of its own from the first tag of a drawing and the rest of it."""
    style = (_FOLDER / "colours.css").read_text(encoding="utf-8")
    return f"{head.replace('<svg ', f'<svg {_XMLNS} ', 1)}<style>{style}</style>{_defs()}{body}"


@cache
def paint() -> str:
    """The parts that all boards of a page share, to be written once before the first of them."""
    hidden = 'class="board-paint" width="0" height="0" aria-hidden="true" focusable="false"'
    return f"<svg {hidden}>{_defs()}</svg>"


@cache
def _defs() -> str:
    empty = empty_board()
    grain = [f'<path class="bg-grain" opacity="{g.opacity}" d="{g.lines}"/>' for g in empty.grain]
    points = [f'<path class="bg-wedge bg-{p.colour}" d="{p.outline}"/>' for p in empty.points]
    return Template((_FOLDER / "paint.svg").read_text(encoding="utf-8")).substitute(
        grain="".join(grain), points="".join(points), slots=empty.slots, bevels=empty.bevels
    )


def drawing(picture: Picture, alt: str) -> str:
    """A board without colours of its own; with "" as `alt` it only repeats what a text says."""
    return _head(picture, alt) + _body(picture)


def symbol(picture: Picture, name: str) -> str:
    """A board to be drawn many times on a page: a symbol with this id, for `<use>`."""
    inside = _body(picture).removesuffix("</svg>")
    return f'<symbol id="{name}" viewBox="{picture.view_box}">{inside}</symbol>'


def _head(picture: Picture, alt: str) -> str:
    spoken = f'role="img" aria-label="{escape(alt)}"' if alt else 'aria-hidden="true"'
    size = f'width="{picture.width}" height="{picture.height}"'
    view = f'viewBox="{picture.view_box}" {size}'
    return f'<svg class="bg bg-drawing" {view} focusable="false" {spoken}>'


def _body(picture: Picture) -> str:
    return "".join(['<use href="#bg-empty"/>', *_shapes(picture), "</svg>"])


def _shapes(picture: Picture) -> Iterator[str]:
    """Everything on the board, from what lies below to what lies on top."""
    yield from map(piece, picture.labels)
    yield from map(piece, picture.slabs)
    yield from map(piece, picture.checkers)
    for x, y in picture.pinned:
        yield f'<use href="#bg-lock" x="{x}" y="{y}"/>'
    yield from map(piece, picture.dice)
    if picture.cube is not None:
        yield piece(picture.cube)
    yield from map(_arrow, picture.arrows)
    yield from (_badge(mark) for mark in picture.arrows if mark.badge)


def piece(drawn: Label | Slab | Checker | Die | DrawnCube) -> str:
    """Return one thing that lies on a board, or a number on its frame."""
    match drawn:
        case Label():
            return _label(drawn)
        case Slab():
            return _slab(drawn)
        case Checker():
            return _checker(drawn)
        case Die():
            return _die(drawn)
        case DrawnCube():
            return _cube(drawn)


def _label(label: Label) -> str:
    hot = " bg-hot" if label.hot else ""
    return f'<text class="bg-number{hot}" x="{label.x}" y="{label.y}">{escape(label.text)}</text>'


def _slab(slab: Slab) -> str:
    size = f'width="{slab.width}" height="{slab.height}"'
    return f'<rect class="bg-slab bg-{slab.side}" x="{slab.x}" y="{slab.y}" {size} rx="4"/>'


def _checker(checker: Checker) -> str:
    body = f'<use href="#bg-man-{checker.side}" x="{checker.x}" y="{checker.y}"/>'
    if not checker.stack:
        return body
    count = f'<g class="bg-count"><circle r="24.2"/><text y="13">{checker.stack}</text></g>'
    place = f'transform="translate({checker.x} {checker.y})"'
    return f'{body}<g class="bg-checker bg-{checker.side}" {place}>{count}</g>'


def _die(die: Die) -> str:
    place = f"translate({die.x} {die.y}) rotate({die.turn}) scale({die.scale})"
    pips = "".join(f'<circle cx="{x}" cy="{y}" r="7.7"/>' for x, y in die.pips)
    return (
        f'<g class="bg-die bg-{die.side}" transform="{place}">'
        '<rect class="bg-shade" x="-39" y="-36" width="84" height="84" rx="16.8"/>'
        f'<rect class="bg-face" x="-42" y="-42" width="84" height="84" rx="16.8"/>{pips}</g>'
    )


def _cube(cube: DrawnCube) -> str:
    return (
        f'<g class="bg-cube" transform="translate({cube.x} {cube.y})">'
        '<rect class="bg-shade" x="-45" y="-42" width="96" height="96" rx="15.4"/>'
        '<rect class="bg-face" x="-48" y="-48" width="96" height="96" rx="15.4"/>'
        f'<text y="18.2" font-size="50">{cube.text}</text></g>'
    )


def _arrow(mark: Mark) -> str:
    width = 9 if mark.kind == "second" else 13
    return (
        f'<g class="bg-arrow bg-{escape(mark.kind)}">'
        f'<path class="bg-arrow-under" d="{mark.line}" stroke-width="21"/>'
        f'<path class="bg-arrow-under" d="{mark.head}" stroke-width="8"/>'
        f'<path class="bg-arrow-line" d="{mark.line}" stroke-width="{width}"/>'
        f'<path class="bg-arrow-head" d="{mark.head}"/></g>'
    )


def _badge(mark: Mark) -> str:
    place = f'transform="translate({mark.x} {mark.y})"'
    return (
        f'<g class="bg-arrow-badge bg-{escape(mark.kind)}" {place}>'
        f'<circle r="31"/><text y="13">{escape(mark.badge)}</text></g>'
    )
