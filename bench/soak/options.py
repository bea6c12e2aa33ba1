"""The options of a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """How much is played and struck, and by which seed."""

    games: int = 300
    faults: int = 30
    minutes: float = 60.0
    """For playing, at most; the quiet comes on top."""
    seed: int = 1
    gap_s: float = 12.0
    """Mean time between faults."""
    tables: int = 16
    people: int = 80
    competitors: int = 8
    """Players of tournaments, beside the people at tables."""
    tournaments: int = 0
    """How many tournaments have to end, too."""
    circlers: int = 8
    """Players of chouettes, beside the others."""
    chouettes: int = 0
    """How many games of chouettes have to end, too."""
    planted: str = ""
    patient: bool = True
    """Whether players let clocks run out."""
    leaves_both: bool = False
    """Whether most matches end with both players leaving at once."""
