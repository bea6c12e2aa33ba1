"""Backgammon and its family: rules, match files, pictures, engines, counting, dice to check.

What most programs need is here; the modules have the rest:

- `rules`: positions, plays, cube, scores, 14 variants, IDs. `board`: a game to play on.
- `formats`: match files. `pictures`: boards as SVG. `dice`: records of dice that anyone can check.
- `counting`: the decisions of a match, which of them count, error rates, luck.
- `evaluation`, `engines`: bgsage, nets, an exact table, GNU Backgammon, rollouts.
- `analysis`: matches and positions judged. `bots`: levels of play. `train`: nets, Hypergammon.

A position is seen by the player on roll: point 24 is the farthest, 1 the nearest to being borne
off. Equities are in points of the present cube. Every error of the rules is a `RulesError`, of
files a `FormatError`; both have a `code` and say what is wrong where.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backgammon.public import *  # noqa: F403 - the names are listed there

__version__ = "1.1.0"


def __getattr__(name: str) -> object:
    """Load the public names when one is used: whoever imports the rules alone needs no engine."""
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    public = import_module("backgammon.public")
    try:
        return getattr(public, name)
    except AttributeError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
