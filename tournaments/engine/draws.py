"""Draws and pairs: from a seed that is fixed when registration closes, so anybody can repeat them.

Pairs are matched so that as little as possible speaks against them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final

import networkx as nx

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


Cost = Callable[[int, int], int | None]
"""What speaks against a pair, 0 or more; None where it is forbidden."""


def matched(players: Sequence[int], cost: Cost) -> list[tuple[int, int]]:
    """As many pairs as possible, and among those the ones with the least cost, in their order."""
    costs = {
        (one, two): found
        for number, one in enumerate(players)
        for two in players[number + 1 :]
        if (found := cost(one, two)) is not None
    }
    if not costs:
        return []
    most = max(costs.values()) + 1
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(players)
    graph.add_edges_from(
        (one, two, {"weight": most - found}) for (one, two), found in costs.items()
    )
    place = {player: number for number, player in enumerate(players)}
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    ordered = [tuple(sorted(pair, key=lambda player: place[player])) for pair in pairs]
    return sorted(ordered, key=lambda pair: place[pair[0]])
