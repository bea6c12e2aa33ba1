"""A position as the pages of the analysis show it: a board with the best play and the one made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from backgammon.counting.situation import MINE, Situation
from backgammon.pictures.board import Arrow
from backgammon.pictures.geometry import Side
from backgammon.pictures.plays import compared_arrows
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from games.templatetags.boards import position_words


@dataclass(frozen=True, slots=True)
class PositionShown:
    """The values for `analysis/position.html`. Points and plays have the mover's numbers.

    `turned` shows the board from the opponent's side. `best` and `played` are the plays as they
    are written, "" where there is none to show. `words` says all of it.
    """

    position: Position
    variant: str
    turned: bool
    dice: tuple[int, ...]
    cube: int | None
    cube_owner: Side | None
    arrows: tuple[Arrow, ...]
    best: str
    played: str
    words: str


def position_shown(
    situation: Situation,
    dice: Sequence[int] = (),
    *,
    best: Sequence[Move] | None = None,
    played: Sequence[Move] | None = None,
    turned: bool = False,
    others: Sequence[Arrow] = (),
) -> PositionShown:
    """A position with its roll and plays; nothing is compared if both plays are the same.

    `others` are arrows that a page shows on demand; their kinds begin with "try".
    """
    position, variant = situation.position, by_key(situation.variant)

    def written(moves: Sequence[Move] | None) -> str:
        return format_play(variant, position, moves) if moves else ""

    arrows: Sequence[Arrow] = () if best is None else compared_arrows(position, best, played)
    said_best, said_played = written(best), written(played)
    seen = position.turned(variant.way) if turned else position
    said = [position_words(seen)]
    if said_best:
        said.append(_("Best: {play}.").format(play=said_best))
    if said_played:
        said.append(_("Played: {play}.").format(play=said_played))
    return PositionShown(
        position=position,
        variant=situation.variant,
        turned=turned,
        dice=tuple(dice),
        cube=situation.cube.value if situation.has_cube else None,
        cube_owner=_side(situation.cube.owner, turned),
        arrows=(*others, *arrows),
        best=said_best,
        played="" if said_played == said_best else said_played,
        words=" ".join(said),
    )


def without_tries(shown: PositionShown | None) -> PositionShown | None:
    """The position without the arrows that only a script shows, for pages that have none."""
    if shown is None:
        return None
    drawn = tuple(arrow for arrow in shown.arrows if not arrow.kind.startswith("try"))
    return replace(shown, arrows=drawn)


def _side(owner: int | None, turned: bool) -> Side | None:
    """The side of the board on which the cube lies; None: on the bar."""
    if owner is None:
        return None
    return "me" if (owner == MINE) != turned else "op"
