"""The form of the colours, and a board that shows those of it before they count."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.preferences import BoardChoice, Checkers
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key
from house.board import COLOURS, board_of
from house.parts import Content
from pasch.desk.house_forms import HouseForm
from pasch.house_identity import board_address

THEMES: Final = (
    ("ahorn", _("The board on light pages")),
    ("nussbaum", _("The board on dark pages")),
)


class ColoursForm(HouseForm):
    """The colours, a box that takes those of the board back, and why they change."""

    removed = frozenset(COLOURS)
    removing = _("Back to Pasch's own board")


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A board in the opening position: its style sheet, if it has one of its own, and its names
    in `data-board` and `data-checkers`."""

    style: str
    board: str
    checkers: str
    position: Position = by_key("backgammon").start
    themes: tuple[tuple[str, object], ...] = THEMES


def board_preview(content: Content) -> ShownBoard:
    """How this content shows the board on light and on dark pages."""
    board = board_of(content)
    if board is None:
        return ShownBoard("", BoardChoice.THEME, Checkers.IVORY)
    return ShownBoard(board_address(board), BoardChoice.HOUSE, Checkers.HOUSE)
