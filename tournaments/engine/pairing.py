"""Matching players into pairs so that as little as possible speaks against them."""

from collections.abc import Callable, Sequence

import networkx as nx

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
