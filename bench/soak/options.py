"""The options of a run, and those that the command line has for it."""

from dataclasses import dataclass
from typing import Final

#: what the command line asks for, by field, and how its help explains that.
ASKED: Final = {
    "games": "that have to be played",
    "faults": "that befall the house",
    "minutes": "for playing, at most; the quiet comes on top",
    "seed": "of all choices",
    "gap_s": "mean seconds between faults",
    "tables": "played at the same time",
    "tournaments": "that have to end, too",
    "competitors": "players of tournaments, beside the people at tables",
    "chouettes": "games that have to end, too",
    "circlers": "players of chouettes, beside the others",
}


def flag_of(field: str) -> str:
    """The name of a field on the command line."""
    return f"--{field.removesuffix('_s')}"


@dataclass(frozen=True, slots=True)
class Options:
    """How much is played and struck, and by which seed."""

    games: int = 300
    faults: int = 30
    minutes: float = 60.0
    seed: int = 1
    gap_s: float = 12.0
    tables: int = 16
    people: int = 80
    competitors: int = 8
    tournaments: int = 0
    circlers: int = 8
    chouettes: int = 0
    planted: str = ""
    patient: bool = True
    """Whether players let clocks run out."""
    leaves_both: bool = False
    """Whether most matches end with both players leaving at once."""
