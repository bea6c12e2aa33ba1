"""The commands that a player gives at a table, drawn at random among those that are allowed."""

from random import Random
from typing import Any, Final

Json = dict[str, Any]

RESIGNS: Final = 0.03

DOUBLES: Final = 0.12

TAKES: Final = 0.55

ACCEPTS: Final = 0.75

WANDERS: Final = 0.15

STOPS: Final = 0.2


def walk(graph: list[list[list[int]]], rng: Random) -> list[list[int]]:
    """A way through the graph of legal plays: home first, and the last ones forward."""
    node, moves = 0, []
    while graph[node]:
        edges = graph[node]
        if rng.random() < WANDERS:
            edge = rng.choice(edges)
        else:
            edge = max(edges, key=lambda e: (e[1] == 0, e[0] - e[1], e[0]))
        *move, node = edge
        moves.append(move)
    return moves


def decide(
    view: Json, seat: int, rng: Random, *, hurry: bool = False, resigns: float = RESIGNS
) -> Json | None:
    """The command that this player gives now, or None if they have none to give."""
    allowed = view["actions"][seat]
    if not allowed:
        return None
    if hurry and "leave" in allowed and view["decider"] == seat:
        return {"type": "leave"}
    if "offer_resignation" in allowed and view["resignable_levels"] and rng.random() < resigns:
        return {"type": "offer_resignation", "level": rng.choice(view["resignable_levels"])}
    if "accept_resignation" in allowed:
        accepts = "refuse_resignation" not in allowed or rng.random() < ACCEPTS
        return {"type": "accept_resignation" if accepts else "refuse_resignation"}
    if "take" in allowed:
        return {"type": _answer(allowed, rng)}
    if "double" in allowed and rng.random() < DOUBLES:
        return {"type": "double"}
    if "play" in allowed:
        return {"type": "play", "moves": walk(view["graph"], rng)}
    if "name_double" in allowed:
        return {"type": "name_double", "number": rng.randint(1, 6)}
    if "stop" in allowed and rng.random() < STOPS:
        return {"type": "stop"}
    return next(({"type": name} for name in ("roll", "ready") if name in allowed), None)


def _answer(allowed: list[str], rng: Random) -> str:
    more = [name for name in ("beaver", "raccoon") if name in allowed]
    if more and rng.random() < 0.2:
        return more[0]
    return "take" if rng.random() < TAKES or "drop" not in allowed else "drop"
