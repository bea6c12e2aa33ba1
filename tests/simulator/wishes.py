"""Random terms: every mode, variant and option of the house, and combinations it must refuse."""

from random import Random
from typing import Final

from games.modes.prices import Prices
from games.modes.registry import OPENED, PRACTICE_KEYS, by_key
from games.modes.terms import Terms, Wishes
from games.rules.variants import KEYS
from games.table.errors import BadTerms
from games.table.terms import terms_of

PRICES: Final = Prices()
MODES: Final = (*sorted(mode.key for mode in OPENED), *PRACTICE_KEYS)
START_RULES: Final = ("opener_alternates", "roll_off_use", "roll_off_reroll")

#: how often the variant of a free table is standard backgammon, which has the most rules to break.
STANDARD_SHARE: Final = 0.3


def random_terms(random: Random) -> Terms:
    """The terms of some table of the house; combinations it does not offer are drawn again."""
    while True:
        try:
            return terms_of(_wishes(random, random.choice(MODES)), PRICES)
        except BadTerms:
            continue


def _wishes(random: Random, key: str) -> Wishes:
    mode = by_key(key)
    fields: dict[str, object] = {"mode": key, "clock": random.choice(("fast", "normal", "slow"))}
    if mode.choice_field:
        fields.update(random.choice(mode.choices(PRICES)).wishes)
    if "holland" in mode.asks:
        fields["holland"] = random.random() < 0.3
    if "variant" in mode.asks:
        fields.update(_free(random))
    if "base" in mode.asks:
        low, high = PRICES.base_stake_cents_min, PRICES.base_stake_cents_max
        fields["stake_cents"] = random.choice((low, high, random.randint(low, high)))
    return Wishes(**fields)  # type: ignore[arg-type]


def _free(random: Random) -> dict[str, object]:
    """What only free tables choose; some of it does not fit together and is refused."""
    standard = random.random() < STANDARD_SHARE
    beavers = random.random() < 0.6
    return {
        "variant": "backgammon" if standard else random.choice(KEYS),
        "has_cube": random.random() < 0.8,
        "jacoby": random.random() < 0.3,
        "beavers": beavers,
        "raccoons": beavers and random.random() < 0.8,
        "auto_doubles_max": random.choice((0, 0, 1, 3)),
        "start_rule": random.choice(START_RULES),
    }
