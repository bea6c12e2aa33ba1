"""The cases: every mode of the registry in every variant it offers, and random rules.

Only the registries say what there is, so a new mode, variant or rule is played without a change
here. The same seed gives the same cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from backgammon.rules.errors import RulesError
from games.modes.mode import Mode
from games.modes.prices import Prices
from games.modes.registry import ALL
from games.modes.terms import BadWishes, Terms, Wishes

Json = dict[str, Any]

#: as slow as possible: no player of this bench thinks.
CLOCK: Final = "slow"

#: base stakes whose rakes are not even.
STAKES_CENTS: Final = (10, 13, 33, 50, 77, 99)

#: banks of sessions, in base stakes: small enough that some are used up.
BANK_TIMES: Final = (10, 12, 20)

#: how many lengths of a match are few enough to play all of them.
LENGTHS_FEW: Final = 3

#: how often random rules are drawn until each was chosen, and how likely each is in a draw.
DRAWS_MAX: Final = 400
RULES_SHARE: Final = 0.45

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
    """A mode in every variant, by the rules that it begins with, and then with other rules."""
    for strength in (ALONE, BOT) if mode.is_practice else ("",):
        way = f"{mode.key} {strength}".strip()
        for variant in mode.variants:
            for suffix, wishes in _asked(mode, variant, rng):
                yield from _case(mode, f"{way}{suffix}", wishes, strength)
    strength = ALONE if mode.is_practice else ""
    for wishes in _with_rules(mode, rng):
        yield from _case(mode, f"{mode.key} rules", wishes, strength)


def _case(mode: Mode, way: str, wishes: Json, strength: str) -> Iterator[Case]:
    terms = granted(mode, wishes)
    if terms is not None:
        yield Case(way, terms.game_key, wishes, terms, strength)


def _asked(mode: Mode, variant: str, rng: Random) -> Iterator[tuple[str, Json]]:
    """The wishes of a mode in a variant: its choices, its lengths, free and for a stake.

    Yields what is added to the name of the way, and the wishes.
    """
    wishes: Json = {"mode": mode.key, "clock": CLOCK}
    if "variant" in mode.asks:
        wishes["variant"] = variant
    if "base" in mode.asks:
        wishes["stake_cents"] = rng.choice(STAKES_CENTS)
    if "bank_cents" in mode.amounts:
        wishes["bank_cents"] = wishes["stake_cents"] * rng.choice(BANK_TIMES)
    lengths = _lengths(mode, variant, rng)
    stakes = [cents for cents in mode.stakes(Prices()) if cents]
    if lengths:
        for points in lengths:
            yield "", {**wishes, "target_points": points}
        for cents in stakes[:1] and [rng.choice(stakes)]:
            staked = {"target_points": rng.choice(lengths), "stake_cents": cents}
            yield " staked", {**wishes, **staked}
        return
    choices = mode.choices(Prices())
    for choice in choices:
        yield "", {**wishes, **choice.wishes}
    if not choices:
        yield "", wishes


def _lengths(mode: Mode, variant: str, rng: Random) -> list[int]:
    """The lengths to play: all of a few; of many a short one, and a longer one in backgammon."""
    rules = {rule.field: rule.values for rule in mode.rules_offered(variant)}
    lengths = list(rules.get("target_points", ()))
    if len(lengths) <= LENGTHS_FEW:
        return lengths
    longer = [7] if variant == "backgammon" else []
    return [rng.choice(lengths[:3]), *longer]


def _with_rules(mode: Mode, rng: Random) -> Iterator[Json]:
    """Wishes with random rules, until each rule of the mode has been chosen otherwise once."""
    due = {
        rule.field
        for variant in mode.variants
        for rule in mode.rules_offered(variant)
        if rule.field != "target_points"
    }
    for _ in range(DRAWS_MAX):
        if not due:
            return
        variant = rng.choice([*mode.variants, *("backgammon",) * len(mode.variants)])
        if variant not in mode.variants:
            continue
        _, wishes = rng.choice(list(_asked(mode, variant, rng)))
        chosen = _drawn(mode, variant, rng)
        if due & chosen.keys() and granted(mode, {**wishes, **chosen}) is not None:
            due -= chosen.keys()
            yield {**wishes, **chosen}


def _drawn(mode: Mode, variant: str, rng: Random) -> Json:
    """Some rules of a mode, none as it is without a wish; they may not fit together."""
    chosen: Json = {}
    for rule in mode.rules_offered(variant):
        others = [value for value in rule.values if value != rule.default]
        if rule.field == "cube_cap":
            others = others[:2]  # so low that it is reached
        if rule.field != "target_points" and others and rng.random() < RULES_SHARE:
            chosen[rule.field] = rng.choice(others)
    if chosen.get("auto_doubles_max"):
        chosen["start_rule"] = "roll_off_use"
    return chosen


def granted(mode: Mode, wishes: Json) -> Terms | None:
    """The terms of the house for these wishes; None if it does not offer them."""
    try:
        return mode.terms(msgspec.convert(wishes, Wishes), Prices())
    except (BadWishes, RulesError):
        return None
