"""Whether two players only move credits from one to the other. Pure.

Each sign is weighed in bits: how much rarer it is between people who play to win. A sum of `HOLD`
bits is rarer than one honest match in a thousand, also after several looks at the same pair. The
machine only pauses and asks, so it may be wrong sometimes; people decide.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log2, sqrt
from typing import Final

WATCH: Final = 6.0
HOLD: Final = 10.0

ANY_LUCK: Final = 0.75
"""So often the better player is taken to win each match, whatever the ratings say."""

GIFT_FROM: Final = 6.0
"""A difference in PR, beyond a player's own average, from which errors count as given away."""

GIVES_OFTEN: Final = 0.025
"""So many honest opponents of a player give up early, or play far worse than they can."""

GIVEN_PR: Final = 15.0
"""Far worse: by so much, beyond a player's own average."""

YOUNG_DAYS: Final = 3.0
SHARE_HIGH: Final = 0.8
STAKE_HIGH: Final = 0.5
"""Such a part of the loser's credits in one match is much."""

MARK_BITS: Final[Mapping[str, float]] = {"network": 4.0, "browser": 8.0, "mailbox": 8.0}
"""What the two accounts have in common: some honest pairs share a network."""

FIRST_MATCHES: Final = 2
"""Giving up one of the first so many staked matches weighs more."""

NEW_PR: Final = 22.0
"""A beginner's error rate, for somebody without analysed matches elsewhere."""


@dataclass(frozen=True, slots=True)
class PairFacts:
    """The facts about a pair after a staked match, seen from its winner.

    `results` are the pair's staked matches of 30 days, oldest first: True where this winner won.
    `given_up` of those lost were ended early by the loser's own will, `in_day` within the last 24
    hours. `net_cents` went to the winner. `stake_share` is how much of the loser's credits lay in
    this match; `loser_share` how much of all the loser's stakes of 30 days were against this
    player. `feeders` is how many further accounts have staked nearly all against this winner and
    lost, by giving up or linked to the loser. Of the `opponents` whom this winner met within 30
    days beside this loser, `givers` have given up early or played far worse than elsewhere
    (`much_worse`). `mark` is a key of `MARK_BITS`, or empty. `pr_here` and `pr_elsewhere` are the
    loser's error rates in analysed matches.
    """

    results: Sequence[bool]
    net_cents: int
    given_up: int
    in_day: int
    loser_age_days: float
    stake_share: float
    loser_share: float
    loser_matches: int
    feeders: int = 0
    pr_here: float | None = None
    pr_elsewhere: float | None = None
    analysed: int = 0
    mark: str = ""
    givers: int = 0
    opponents: int = 0

    @property
    def given(self) -> bool:
        """Whether this loser has given something away: only then it matters who else has."""
        return bool(self.given_up) or _gift_bits(self) > 0


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign against a pair: the key of its fact, and its weight in bits."""

    key: str
    bits: float


@dataclass(frozen=True, slots=True)
class PairJudgement:
    """The sum of the signs: `clear`, `watch` or `hold`, and the signs, heaviest first."""

    level: str
    score: float
    signs: tuple[Sign, ...]

    @property
    def odds(self) -> float:
        """One honest match in so many has as heavy signs."""
        return float(2**self.score)


def judged_pair(facts: PairFacts) -> PairJudgement:
    """Judge a pair by what is known."""
    signs = sorted(_signs(facts), key=lambda sign: -sign.bits)
    score = sum(sign.bits for sign in signs)
    level = "hold" if score >= HOLD else "watch" if score >= WATCH else "clear"
    return PairJudgement(level, round(score, 2), tuple(signs))


def _signs(facts: PairFacts) -> Iterator[Sign]:
    won, played = sum(facts.results), len(facts.results)
    if facts.net_cents <= 0 or not played:
        return
    if facts.given_up:
        yield Sign("given_up", 5.0 + 3.0 * (facts.given_up - 1))
    if (bits := beyond(won, played, ANY_LUCK)) > 0:
        yield Sign("won", bits)
    if facts.loser_share >= SHARE_HIGH:
        yield Sign("share", 2.0)
    if facts.stake_share >= STAKE_HIGH and facts.given_up:
        yield Sign("net", 2.0)
    if facts.loser_age_days < YOUNG_DAYS and facts.given_up:
        yield Sign("age", 2.0 if facts.loser_matches <= FIRST_MATCHES else 1.0)
    if facts.in_day >= 5 and won == played:
        yield Sign("quick", 1.0)
    yield from _company(facts)
    if gift := _gift_bits(facts):
        yield Sign("pr", gift)


def _company(facts: PairFacts) -> Iterator[Sign]:
    """The signs of people who belong together."""
    ring = 3.0 * facts.feeders
    if facts.given and facts.givers:
        ring = max(ring, beyond(facts.givers + 1, facts.opponents + 1, GIVES_OFTEN))
    if ring > 0:
        yield Sign("ring", min(ring, 9.0))
    if facts.mark:
        yield Sign(facts.mark, MARK_BITS[facts.mark])


def much_worse(here: float, elsewhere: float | None) -> bool:
    """Whether somebody with these error rates plays far worse here; None: no matches elsewhere."""
    if elsewhere is None:
        return here >= NEW_PR + GIFT_FROM
    return here >= elsewhere + GIVEN_PR


def beyond(many: int, of: int, usual: float) -> float:
    """How unlikely it is in bits that something usual in this share happens so many times.

    The bound of Chernoff, so it never says more than the binomial tail does; 0 up to the usual.
    """
    share = many / of
    if share <= usual:
        return 0.0
    bits = share * log2(share / usual)
    if share < 1:
        bits += (1 - share) * log2((1 - share) / (1 - usual))
    return of * bits


def _gift_bits(facts: PairFacts) -> float:
    """Errors beyond the player's own average, in bits: more with more analysed matches.

    One match tells less than its share, and nothing about somebody without matches elsewhere.
    """
    if facts.pr_here is None or not facts.analysed:
        return 0.0
    usual = NEW_PR if facts.pr_elsewhere is None else facts.pr_elsewhere
    worse = facts.pr_here - usual - GIFT_FROM
    if worse <= 0:
        return 0.0
    if facts.analysed == 1:
        return 0.0 if facts.pr_elsewhere is None else min(worse / 2.5, 7.0)
    return min(worse * sqrt(facts.analysed) / 2, 12.0)
