"""What is played: every mode of the registry in every variant it offers, and random rules.

Only the registries say what there is, so a new mode, variant or rule is played without a change
here. The same seed gives the same cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from games.modes.errors import BadWishes
from games.modes.mode import Mode
from games.modes.prices import Prices
from games.modes.registry import ALL
from games.modes.terms import Terms, Wishes
from games.rules.errors import RulesError
from games.rules.variants import KEYS

Json = dict[str, Any]

#: as slow as possible: no player of this bench thinks.
CLOCK: Final = "slow"

#: base stakes whose rakes are not even.
STAKES_CENTS: Final = (10, 13, 33, 50, 77, 99)

#: how often random rules are drawn again until the house offers them together.
DRAWS_MAX: Final = 200

ALONE: Final = "alone"
BOT: Final = "beginner"


@dataclass(frozen=True, slots=True)
class Case:
    """One match to play: the column and row of the report, and what is asked for.

    `terms` are those the house must give for the wishes. `strength` is set in practice.
    """

    way: str
    game: str
    wishes: Json
    terms: Terms
    strength: str = ""

    @property
    def text(self) -> str:
        """The case as `--only` takes it, and its wishes."""
        return f"{self.way}/{self.game} {self.wishes}"


def cases(seed: int, *, short: bool) -> list[Case]:
    """All cases of a seed; a short run takes each way and each game of them at least once."""
    rng = Random(seed)
    found = [case for mode in ALL for case in _of_mode(mode, rng)]
    return _few(found) if short else found


def _few(found: list[Case]) -> list[Case]:
    """Some cases, among them every way and every game."""
    seen: set[str] = set()
    kept = []
    for case in found:
        if not {case.way, case.game} <= seen:
            seen |= {case.way, case.game}
            kept.append(case)
    return kept


def _of_mode(mode: Mode, rng: Random) -> Iterator[Case]:
    if mode.is_practice:
        for strength in (ALONE, BOT):
            for variant in KEYS:
                wishes = {"mode": mode.key, "variant": variant, "clock": CLOCK}
                terms = granted(mode, wishes)
                assert terms is not None, f"practice is offered in {variant}"
                yield Case(f"{mode.key} {strength}", variant, wishes, terms, strength)
        return
    for variant in variants_of(mode):
        for wishes in _choices(mode, variant, rng):
            terms = granted(mode, wishes)
            if terms is not None:
                yield Case(mode.key, variant, wishes, terms)


def variants_of(mode: Mode) -> tuple[str, ...]:
    """The variants that a mode offers."""
    return KEYS if "variant" in mode.asks else ("backgammon",)


def _choices(mode: Mode, variant: str, rng: Random) -> Iterator[Json]:
    """The games a mode is offered as; where each has a base stake, one of several."""
    wishes: Json = {"mode": mode.key, "clock": CLOCK}
    if "variant" in mode.asks:
        wishes["variant"] = variant
    if "base" in mode.asks:
        wishes["stake_cents"] = rng.choice(STAKES_CENTS)
    for choice in mode.choices(Prices()) or ():
        yield {**wishes, **choice.wishes}
    if not mode.choices(Prices()):
        yield wishes


def granted(mode: Mode, wishes: Json) -> Terms | None:
    """The terms of the house for these wishes; None if it does not offer them."""
    try:
        return mode.terms(msgspec.convert(wishes, Wishes), Prices())
    except (BadWishes, RulesError):
        return None
