"""Random terms: every mode, variant and option of the house, and combinations it must refuse."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

from games.modes.choices import RuleChoice
from games.modes.kinds.session import banks_cents
from games.modes.prices import Prices
from games.modes.registry import OPENED, PRACTICE_KEYS, by_key
from games.modes.terms import Terms, Wishes
from games.table.errors import BadTerms
from games.table.setup import terms_of

PRICES: Final = Prices()
MODES: Final = (*sorted(mode.key for mode in OPENED), *PRACTICE_KEYS)

#: how many of the lengths of a match are drawn, the shortest, and how often a rule is wished.
SHORT_LENGTHS: Final = 3
RULE_SHARE: Final = 0.4

#: rules whose events are rare, and how often they are wished.
OFTEN: Final = ("beavers", "raccoons")
OFTEN_SHARE: Final = 0.7

#: how often the variant of a free table is standard backgammon, which has the most rules to break.
STANDARD_SHARE: Final = 0.3


def random_terms(random: Random) -> Terms:
    """The terms of some table of the house; combinations it does not offer are drawn again."""
    return terms_of(random_wishes(random, MODES), PRICES)


def random_wishes(random: Random, modes: Sequence[str]) -> Wishes:
    """Wishes that the house grants in one of these modes."""
    while True:
        wishes = _wishes(random, random.choice(modes))
        try:
            terms_of(wishes, PRICES)
        except BadTerms:
            continue
        return wishes


def _wishes(random: Random, key: str) -> Wishes:
    """Random wishes; some of them do not fit together and are refused."""
    mode = by_key(key)
    fields: dict[str, Any] = {"mode": key, "clock": random.choice(("fast", "normal", "slow"))}
    if mode.choice_field:
        fields.update(random.choice(mode.choices(PRICES)).wishes)
    elif stakes := mode.stakes(PRICES):
        fields["stake_cents"] = random.choice(stakes)
    if "base" in mode.asks:
        low, high = PRICES.base_stake_cents_min, PRICES.base_stake_cents_max
        fields["stake_cents"] = random.choice((low, high, random.randint(low, high)))
    if "bank_cents" in mode.amounts:
        least, most = banks_cents(fields["stake_cents"])
        fields["bank_cents"] = random.choice((0, least, most))
    variant = mode.variants[0]
    if "variant" in mode.asks and random.random() >= STANDARD_SHARE:
        variant = fields["variant"] = random.choice(mode.variants)
    fields.update(_rules(random, mode.rules_offered(variant)))
    return Wishes(**fields)


def _rules(random: Random, offers: Iterable[RuleChoice]) -> Iterator[tuple[str, object]]:
    """A wish for about half of the rules; matches are kept short."""
    for rule in offers:
        if rule.field == "target_points":
            yield rule.field, random.choice(rule.values[:SHORT_LENGTHS])
        elif rule.field in OFTEN:
            yield rule.field, random.random() < OFTEN_SHARE
        elif random.random() < RULE_SHARE:
            yield rule.field, random.choice(rule.values)
