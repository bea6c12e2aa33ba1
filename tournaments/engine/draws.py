"""Draws from a seed that is fixed when registration closes; anybody can repeat them.

Each number comes from SHA-256 of the seed, a label and a counter. Numbers that would favour some
results are drawn again, so every order is equally likely.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

_BITS: Final = 64


def commitment_of(secret: str) -> str:
    """The value (hex) that is published before anybody enters; it binds the house to its secret."""
    return sha256(f"pasch.tournament.secret/{secret}".encode()).hexdigest()


def seed_of(secret: str, entrants: Sequence[tuple[int, str]]) -> str:
    """The seed (hex) from the house's secret and each entrant's number and part, in that order.

    Numbers count from 1 in the order of entry; those who withdrew before the draw are left out.
    """
    lines = [f"pasch.tournament.seed/{secret}", *(f"{number} {part}" for number, part in entrants)]
    return sha256("\n".join(lines).encode()).hexdigest()


def numbers(seed: str, label: str) -> Iterator[int]:
    """Numbers below 2**64 without an end."""
    counter = 0
    while True:
        text = f"pasch.tournament/{seed}/{label}/{counter}".encode()
        yield int.from_bytes(sha256(text).digest()[: _BITS // 8], "big")
        counter += 1


def below(many: int, drawn: Iterator[int]) -> int:
    """One of so many numbers, each equally likely."""
    limit = 2**_BITS - 2**_BITS % many
    return next(number for number in drawn if number < limit) % many


def part_of_seat(part: str, tournament: str) -> str:
    """The part of a player who won a seat, until they give one: it follows from theirs before."""
    return sha256(f"pasch.tournament.part/{part}/{tournament}".encode()).hexdigest()[:32]


def shuffled(players: Iterable[int], seed: str, label: str) -> tuple[int, ...]:
    """These players in an order drawn from the seed, whatever order they came in."""
    drawn, order = numbers(seed, label), sorted(players)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, drawn)
        order[last], order[other] = order[other], order[last]
    return tuple(order)
