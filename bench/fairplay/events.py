"""Rings in sit-and-gos and chouettes, honest people there, and accusers who want to harm.

Four accounts of one person meet again and again, and one of them gains from the other three. Every
pair is judged by the code of the house after each event. The games of chouettes are not analysed,
so bad play is seen there by its results alone.
"""

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

from bench.fairplay.curves import EARLY_SHARE, GIFT, SPREAD_PR
from fairplay.complaints import OPENS_AT, weight_by
from fairplay.models import ComplaintOutcome
from fairplay.signals.pairs import PairFacts, judged_pair

EVENTS: Final = 8
GIVERS: Final = 3
SIT_AND_GO_CENTS: Final = 127
CHOUETTE_CENTS: Final = 300
HONEST_EVENTS: Final = 40


@dataclass(frozen=True, slots=True)
class Kind:
    """A ring: in which events, of new accounts or old ones, by giving up or by playing badly."""

    events: str
    is_new: bool
    gives_up: bool

    @property
    def name(self) -> str:
        """The kind in words."""
        age, way = ("new", "old")[not self.is_new], ("give up", "play badly")[not self.gives_up]
        return f"{self.events}, {age} accounts that {way}"


KINDS: Final = tuple(
    Kind(events, is_new, gives_up)
    for events in ("sit-and-gos", "chouettes")
    for is_new in (True, False)
    for gives_up in (True, False)
)


def levels_of(kind: Kind, chance: random.Random) -> list[str]:
    """The heaviest level of a ring's pairs after each of its events."""
    own = chance.uniform(4, 18)
    cents = SIT_AND_GO_CENTS if kind.events == "sit-and-gos" else CHOUETTE_CENTS
    errors: list[float] = []
    levels = []
    for number in range(1, EVENTS + 1):
        errors.append(own + SPREAD_PR * chance.gauss(0, 1) + GIFT)
        analysed = kind.events == "sit-and-gos" and not kind.gives_up
        gave = kind.gives_up or analysed
        facts = PairFacts(
            results=[True] * number,
            net_cents=cents * number,
            given_up=number if kind.gives_up else 0,
            in_day=number,
            loser_age_days=0.5 if kind.is_new else 200.0,
            stake_share=chance.uniform(0.05, 0.5),
            loser_share=1.0 if kind.is_new else chance.uniform(0.1, 0.5),
            loser_matches=number if kind.is_new else 40 + number,
            feeders=GIVERS - 1 if kind.is_new and kind.gives_up else 0,
            pr_here=sum(errors) / number if analysed else None,
            pr_elsewhere=None if kind.is_new else own,
            analysed=number if analysed else 0,
            givers=GIVERS - 1 if gave else 0,
            opponents=GIVERS - 1 + (0 if kind.is_new else chance.randrange(20)),
        )
        levels.append(judged_pair(facts).level)
    return levels


def honest_held(chance: random.Random) -> bool:
    """Whether two honest regulars of such events are ever held."""
    new, results, early = chance.random() < 0.15, [], 0
    better = 1 / (1 + 10 ** (-chance.gauss(0, 150) / 400))
    elsewhere = 0 if new else chance.randint(3, 60)
    for number in range(1, 1 + min(1 + int(chance.expovariate(0.2)), HONEST_EVENTS)):
        if chance.random() < 0.5:
            continue  # both lost, or neither gained from the other
        results.append(chance.random() < better)
        early += results[-1] and chance.random() < EARLY_SHARE
        facts = PairFacts(
            results=list(results),
            net_cents=(2 * sum(results) - len(results)) * SIT_AND_GO_CENTS,
            given_up=early,
            in_day=min(len(results), 4),
            loser_age_days=chance.uniform(0, 3) if new else 100.0,
            stake_share=chance.uniform(0.02, 0.3),
            loser_share=number / (number + elsewhere),
            loser_matches=number + elsewhere,
            givers=int(chance.random() < 10 * EARLY_SHARE),
            opponents=10,
        )
        if results[-1] and judged_pair(facts).level == "hold":
            return True
    return False


def accusers() -> dict[str, Any]:
    """Two ways to harm another: a deliberate loss, and reports."""
    loss = PairFacts(
        results=[True], net_cents=SIT_AND_GO_CENTS, given_up=1, in_day=1, loser_age_days=0.1,
        stake_share=1.0, loser_share=1.0, loser_matches=1,
    )  # fmt: skip
    found: dict[str, Any] = {
        "one deliberate loss of a fresh account is held": judged_pair(loss).level == "hold",
    }
    for name, lapsed, is_new in (
        ("accounts made for it", 0, True),
        ("old accounts", 0, False),
        ("old accounts after one lapsed report", 1, False),
        ("old accounts after three lapsed reports", 3, False),
    ):
        weight = weight_by({ComplaintOutcome.LAPSED: lapsed}, is_new=is_new)
        found[f"{name} that open a case by reports"] = int(-(-OPENS_AT // weight))
    return found


def figures(rings: int, pairs: int, seed: int) -> dict[str, Any]:
    """Detection of each kind, by events, and false alarms."""
    found: dict[str, Any] = {}
    for kind in KINDS:
        seen: Counter[str] = Counter()
        for number in range(rings):
            levels = levels_of(kind, random.Random(f"{seed} {kind.name} {number}"))
            seen["first payable"] += levels[0] == "clear"
            seen["held by the third"] += "hold" in levels[:3]
            seen["held by the eighth"] += "hold" in levels
        found[kind.name] = {
            name: seen[name] / rings
            for name in ("first payable", "held by the third", "held by the eighth")
        }
    held = sum(honest_held(random.Random(f"{seed} honest {number}")) for number in range(pairs))
    found["honest pairs held"] = held / pairs
    found["accusers"] = accusers()
    return found
