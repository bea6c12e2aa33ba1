"""The people of a simulated house: honest ones, and those whom fair play has to find.

Strengths, habits and networks are assumptions, named here; only the losses of decisions come from
published figures (`draws`).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

DAYS: Final = 90
OLD_DAY: Final = -300
"""Accounts that are not new registered before this day."""

NEWCOMERS: Final = 0.15
LEARNS: Final = 0.35
"""Such a part of their error rate newcomers lose, most of it in the first forty matches."""

LEAVERS: Final = 0.02
LEAVES: Final = {"honest": 0.01, "leaver": 0.3}
"""The share of matches in which somebody leaves, runs out of time or does not come back."""

HOUSEHOLDS: Final = 0.03
"""This share of players lives with another player, in one network; every fifth with one browser."""

OFFICES: Final = 0.05
"""This share of players works in groups of five in one network."""

MOBILE: Final = 0.3
"""This share of players also logs in from the network of a mobile provider."""

PROVIDERS: Final = 12

RING_KINDS: Final = (
    "new accounts that give up",
    "new accounts that play badly",
    "old accounts that give up",
    "old accounts that play badly",
)
RING_TRANSFERS: Final = 8
RING_MARKS: Final = {"browser": 0.3, "network": 0.3}
"""So many rings use one browser for all, or one network; the others have marks of their own."""

EVADERS_MARKS: Final = {"browser": 0.6, "network": 0.2}


@dataclass(slots=True)
class Player:
    """Somebody at the tables. `use` is the share of decisions from an engine, from day `uses_from`.

    `rate` is matches a day; `marks` are browsers and networks; `friend` a player they meet often.
    """

    number: int
    kind: str
    pr: float
    joined: int
    rate: float
    leaves: float
    marks: set[str] = field(default_factory=set)
    friend: int | None = None
    use: float = 0.0
    uses_from: int = 0
    played: int = 0

    @property
    def is_newcomer(self) -> bool:
        """Whether the account is not an old one."""
        return self.joined > OLD_DAY

    @property
    def pr_now(self) -> float:
        """The error rate without an engine: newcomers learn."""
        if not self.is_newcomer:
            return self.pr
        return self.pr * (1 - LEARNS * min(self.played / 40, 1))


@dataclass(frozen=True, slots=True)
class Ring:
    """Accounts of one person: givers hand credits to the taker, from a day on."""

    kind: str
    taker: int
    givers: tuple[int, ...]
    day: int


@dataclass(slots=True)
class Cast:
    """Everybody, by number, with the rings, and the evaders as (account under a decision, new)."""

    players: list[Player]
    rings: list[Ring]
    evaders: list[tuple[int, int]]


def cast_of(count: int, chance: random.Random) -> Cast:
    """A house of so many honest players, and the others in proportion: 50 rings to 5,000."""
    cast = Cast([], [], [])
    for _ in range(count):
        _person(cast, chance)
    _company(cast, chance)
    share = count / 5_000
    for use in (1.0, 0.6, 0.3):
        for _ in range(max(round(60 * share), 2)):
            user = _person(
                cast, chance, kind=f"{use:.0%} engine", old=True, pr=chance.uniform(4, 10)
            )
            user.use, user.uses_from, user.rate = use, chance.randrange(0, 10), 2.0
    for _ in range(max(round(60 * share), 2)):
        user = _person(cast, chance, kind="100% engine, new", old=False)
        user.use, user.uses_from, user.rate, user.joined = 1.0, OLD_DAY, 2.0, 0
    for number in range(max(round(50 * share), 4)):
        _ring(cast, RING_KINDS[number % 4], chance)
    for _ in range(max(round(40 * share), 2)):
        _evader(cast, chance)
    return cast


def _person(
    cast: Cast,
    chance: random.Random,
    *,
    kind: str = "",
    old: bool | None = None,
    pr: float | None = None,
) -> Player:
    """Add a player with a network and a browser of their own."""
    number = len(cast.players)
    new = chance.random() < NEWCOMERS if old is None else not old
    leaver = not kind and chance.random() < LEAVERS
    player = Player(
        number=number,
        kind=kind or ("leaver" if leaver else "honest"),
        pr=pr or min(max(chance.lognormvariate(2.8 if new else 2.2, 0.5), 2.7), 45),
        joined=chance.randrange(0, DAYS - 10) if new else OLD_DAY,
        rate=min(chance.lognormvariate(-0.7, 0.8), 5),
        leaves=LEAVES["leaver" if leaver else "honest"],
        marks={f"browser {number}", f"network {number}"},
    )
    if chance.random() < MOBILE:
        player.marks.add(f"network provider {chance.randrange(PROVIDERS)}")
    cast.players.append(player)
    return player


def _company(cast: Cast, chance: random.Random) -> None:
    """Give honest players their friends, households and offices."""
    people = cast.players[:]
    chance.shuffle(people)
    for one, two in zip(people[::2], people[1::2], strict=False):
        if chance.random() < 0.4:
            one.friend, two.friend = two.number, one.number
        if chance.random() < HOUSEHOLDS:
            two.marks.add(f"network {one.number}")
            if chance.random() < 0.2:
                two.marks.add(f"browser {one.number}")
            one.friend, two.friend = two.number, one.number
    chance.shuffle(people)
    for group in _groups(people[: round(OFFICES * len(people))], 5):
        for each in group:
            each.marks.add(f"network office {group[0].number}")


def _groups(people: list[Player], size: int) -> Iterator[list[Player]]:
    for start in range(0, len(people), size):
        yield people[start : start + size]


def _ring(cast: Cast, kind: str, chance: random.Random) -> None:
    """Add a ring: one to three givers and a taker."""
    old, day = kind.startswith("old"), chance.randrange(5, DAYS - 10)
    accounts = [
        _person(cast, chance, kind="ring", old=old, pr=chance.uniform(4, 18))
        for _ in range(1 + chance.randint(1, 3))
    ]
    taker, givers = accounts[0], accounts[1:]
    for each in givers:
        if not old:
            each.joined = day
            each.rate = 0.0
    _share_marks(accounts, RING_MARKS, chance)
    taker.joined = min(taker.joined, day)
    cast.rings.append(Ring(kind, taker.number, tuple(each.number for each in givers), day))


def _evader(cast: Cast, chance: random.Random) -> None:
    """Add somebody who plays on with a second account after a decision."""
    first = _person(cast, chance, kind="under a decision", old=True)
    second = _person(cast, chance, kind="second account", old=False)
    first.rate = 0.0
    _share_marks([first, second], EVADERS_MARKS, chance)
    cast.evaders.append((first.number, second.number))


def _share_marks(accounts: list[Player], shares: dict[str, float], chance: random.Random) -> None:
    """Let accounts of one person share a browser, or a network, or nothing."""
    drawn, sum_ = chance.random(), 0.0
    for kind, share in shares.items():
        sum_ += share
        if drawn < sum_:
            for each in accounts[1:]:
                each.marks.add(f"{kind} {accounts[0].number}")
            return
