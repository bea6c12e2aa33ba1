"""Which faults come, in which order and when: decided by the seed alone, before anything runs."""

from dataclasses import dataclass
from random import Random
from typing import Final

#: faults of 200, as the long run has them.
WEIGHTS: Final = {
    "web": 70,  # one web server is killed
    "house": 10,  # all web servers are, for longer than a house may be silent
    "worker": 35,
    "beat": 10,
    "valkey": 15,  # comes back empty: it keeps nothing on disk
    "valkey_wiped": 10,  # emptied while everybody uses it
    "postgres": 30,
    "cut": 8,  # every fourth socket is cut, in both directions
    "half_open": 7,  # every eighth player stops reading and answering for a while
    "clock": 5,  # a web server comes back with a clock five minutes off
}

#: a silence of ten seconds is an outage; this is one for certain.
OUTAGE_SECONDS: Final = (13.0, 18.0)
DOWN_SECONDS_MAX: Final = 10.0
GAP_SECONDS: Final = 12.0


@dataclass(frozen=True, slots=True)
class Fault:
    """`gap_s` after the fault before, `kind` happens; what was killed stays down for `down_s`."""

    number: int
    kind: str
    gap_s: float
    down_s: float
    choice: int
    """Which of several targets; taken modulo how many there are."""


def schedule(
    seed: int, faults: int, *, gap_s: float = GAP_SECONDS, weights: dict[str, int] | None = None
) -> tuple[Fault, ...]:
    """So many faults, dealt from a deck of the weights, so that rare ones come as well."""
    rng = Random(f"nemesis:{seed}")
    kinds = deck(faults, weights or WEIGHTS)
    rng.shuffle(kinds)
    return tuple(
        Fault(
            number=number,
            kind=kind,
            gap_s=min(rng.expovariate(1 / gap_s), 3 * gap_s) if gap_s else 0.0,
            down_s=rng.uniform(*OUTAGE_SECONDS)
            if kind == "house"
            else rng.uniform(0, DOWN_SECONDS_MAX),
            choice=rng.randrange(1_000_000),
        )
        for number, kind in enumerate(kinds, start=1)
    )


def deck(faults: int, weights: dict[str, int]) -> list[str]:
    """The kinds by largest remainder, each at least once where there are faults enough."""
    if not faults:
        return []
    total = sum(weights.values())
    shares = {kind: faults * weight / total for kind, weight in weights.items()}
    least = 1 if faults >= len(weights) else 0
    counts = {kind: max(least, int(share)) for kind, share in shares.items()}
    by_remainder = sorted(weights, key=lambda kind: shares[kind] - int(shares[kind]), reverse=True)
    while sum(counts.values()) < faults:
        for kind in by_remainder[: faults - sum(counts.values())]:
            counts[kind] += 1
    while sum(counts.values()) > faults:
        counts[max(counts, key=lambda kind: counts[kind])] -= 1
    return [kind for kind, count in counts.items() for _ in range(count)]
