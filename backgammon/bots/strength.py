"""The levels of the house bot, in one place: a further level is one more entry of `LEVELS`.

Forms, pages, the API and the bench go through this list. Its order is that of the strengths, the
weakest first. `python -m bench.bots` measures them; `docs/practice.md` says how.
"""

from dataclasses import dataclass
from typing import Final

from backgammon.rules.naming import gettext_noop


@dataclass(frozen=True, slots=True)
class Measured:
    """The error rate of a level in backgammon, its 95 % band, and the decisions it rests on."""

    pr: float
    low: float
    high: float
    decisions: int

    @property
    def band(self) -> float:
        """The longer side of the band."""
        return max(self.high - self.pr, self.pr - self.low)


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the house bot.

    `bot` is the name of its player; it has a space, so that nobody can register it. The rest is
    what a level adds to the judgement of the strongest one (`backgammon/bots/noise.py`): `play` and
    `cube` are the sizes of its errors in points of equity, `thumb` is the share of the rules of
    thumb in its judgement of plays, and `shy` is how much a double must seem to gain.
    """

    key: str
    bot: str
    name: str
    sentence: str
    measured: Measured
    play: float = 0.0
    cube: float = 0.0
    thumb: float = 0.0
    shy: float = 0.0


LEVELS: Final[tuple[Level, ...]] = (
    Level(
        "child",
        "Pip Pasch",
        gettext_noop("Child"),
        gettext_noop(
            "For children and absolute beginners: plays by simple rules, misses a lot "
            "and hardly ever doubles."
        ),
        Measured(46.892, 44.439, 49.481, 4063),
        play=0.3,
        cube=0.25,
        thumb=0.8,
        shy=0.4,
    ),
    Level(
        "beginner",
        "Mira Pasch",
        gettext_noop("Beginner"),
        gettext_noop(
            "Plays by simple rules, without a plan, and often doubles or takes at the wrong moment."
        ),
        Measured(28.047, 25.933, 30.334, 2120),
        play=0.22,
        cube=0.22,
        thumb=0.4,
        shy=0.05,
    ),
    Level(
        "intermediate",
        "Bodo Pasch",
        gettext_noop("Intermediate"),
        gettext_noop(
            "Finds most good plays but goes wrong when several look alike. Rarely blunders."
        ),
        Measured(14.092, 13.108, 15.149, 3214),
        play=0.135,
        cube=0.13,
        thumb=0.2,
    ),
    Level(
        "advanced",
        "Fina Pasch",
        gettext_noop("Advanced"),
        gettext_noop("Rarely makes a big mistake, but the small ones add up."),
        Measured(9.126, 8.182, 10.179, 2089),
        play=0.105,
        cube=0.1,
    ),
    Level(
        "expert",
        "Uma Pasch",
        gettext_noop("Expert"),
        gettext_noop("Slips in difficult positions, and now and then with the cube."),
        Measured(4.944, 4.445, 5.496, 2504),
        play=0.06,
        cube=0.06,
    ),
    Level(
        "world_class",
        "Rex Pasch",
        gettext_noop("World class"),
        gettext_noop("The bot at its best, with no deliberate mistakes. Hints show its choice."),
        Measured(1.582, 1.444, 1.734, 5615),
    ),
)

STRENGTHS: Final = tuple(level.key for level in LEVELS)

#: the level without errors of its own; hints are its answers.
STRONGEST: Final = LEVELS[-1].key

_BY_KEY: Final = {level.key: level for level in LEVELS}


def level_of(key: str) -> Level:
    """The level of this key. Raises `KeyError` for any other."""
    return _BY_KEY[key]
