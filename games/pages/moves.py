"""A match as a list of moves, for people: two columns a game, one cell for each decision."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.forms.names import ENDING_NAMES
from games.table.replay import Step


@dataclass(frozen=True, slots=True)
class Cell:
    """An action of a seat; `step` is the number of the step that shows it on the board."""

    step: int
    roll: str
    text: str


@dataclass(slots=True)
class GameTold:
    """A game: its rows of two cells, and how it ended (None: it did not).

    `rolled` are the rows of the roll-off, which no match file numbers.
    """

    number: int
    crawford: bool
    score: list[int]
    step: int
    rolled: list[list[Cell | None]] = field(default_factory=list)
    rows: list[list[Cell | None]] = field(default_factory=list)
    ended: Step | None = None
    ending: str = ""

    def write(self, seat: int, cell: Cell) -> None:
        """Put a cell into the seat's column, in a new row if it does not follow in the last one."""
        last = self.rows[-1] if self.rows else None
        if last is None or last[seat] is not None or (seat == 0 and last[1] is not None):
            last = [None, None]
            self.rows.append(last)
        last[seat] = cell


def games_told(steps: Iterable[Step]) -> list[GameTold]:
    """The games of a match."""
    games: list[GameTold] = []
    for number, step in enumerate(steps):
        if step["type"] == "game_started":
            score = step["view"]["score"]
            games.append(GameTold(step["game"], step["crawford"], score, number))
        elif step["type"] == "rolled_off":
            games[-1].rolled.append([Cell(number, str(die), "") for die in step["dice"]])
        elif step["type"] == "game_ended":
            games[-1].ended = step
            games[-1].ending = str(ENDING_NAMES.get(step["ending"], step["ending"]))
        elif step["type"] != "dice_rolled":
            games[-1].write(step["seat"], _cell(number, step))
    return games


def _cell(number: int, step: Step) -> Cell:
    kind = step["type"]
    if kind == "play_made":
        roll = "".join(map(str, step["dice"]))
        return Cell(number, roll, step["text"] or _("no legal move"))
    spoken = {
        "double_offered": _("doubles to {value}"),
        "beavered": _("beavers to {value}"),
        "raccooned": _("raccoon: {value}"),
        "double_taken": _("takes"),
        "double_dropped": _("drops"),
        "resignation_offered": _("offers to resign"),
        "resignation_accepted": _("accepts the resignation"),
        "resignation_refused": _("refuses the resignation"),
    }
    return Cell(number, "", spoken[kind].replace("{value}", str(step.get("value", ""))))
