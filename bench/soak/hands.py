"""The players' commands: quick legal plays, and every way in which a match can end."""

from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from games.modes.prices import Prices
from games.modes.registry import ALL

Json = dict[str, Any]

#: how a match is meant to go, of 100.
COURSES: Final = {
    "play": 64,  # to the end, with doubles and resignations on the way
    "leave": 14,
    "leave_both": 3,
    "stall": 7,  # a player does nothing until their time is over
    "vanish": 5,  # somebody is gone until the other one claims the win, or time is over
    "stand_up": 3,  # before the first roll
    "rematch": 4,
}
#: courses in which somebody waits for the other one's time to run out.
WAITING: Final = ("stall", "vanish")

RESIGNS: Final = 0.03
DOUBLES: Final = 0.12
TAKES: Final = 0.55
ACCEPTS: Final = 0.75
WANDERS: Final = 0.15
STOPS: Final = 0.2


@dataclass(slots=True)
class Course:
    """The planned course of one match, shared by both players, and the player it concerns."""

    kind: str
    seat: int
    after: int
    """After how many decisions of that player, or events of the table (`leave_both`)."""
    over: bool = False
    decisions: list[int] = field(default_factory=lambda: [0, 0])

    def is_about(self, seat: int) -> bool:
        """Whether this player now does what the course is about."""
        return seat == self.seat and self.decisions[seat] >= self.after


def course(rng: Random, *, patient: bool = True) -> Course:
    """Draw a course; an impatient crowd (near the end of a run) gets none with waits."""
    kinds = dict(COURSES)
    if not patient:
        del kinds["stall"], kinds["vanish"], kinds["rematch"]
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    after = 0 if kind == "stand_up" else rng.randint(2, 24)
    if kind == "leave_both":
        after = rng.randint(8, 60)
    return Course(kind, rng.randrange(2), after)


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


def decide(view: Json, seat: int, rng: Random, *, hurry: bool) -> Json | None:
    """The command that this player gives now, or None if they have none to give."""
    allowed = view["actions"][seat]
    if not allowed:
        return None
    if hurry and "leave" in allowed and view["decider"] == seat:
        return {"type": "leave"}
    if "offer_resignation" in allowed and view["resignable_levels"] and rng.random() < RESIGNS:
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


def wishes(rng: Random, plan: Course) -> Json:
    """The wishes for the next match, as the API takes them: every mode, clocks that can run out."""
    mode = rng.choices(ALL, [1 if mode.is_practice else 5 for mode in ALL])[0]
    clock = rng.choices(["fast", "normal", "slow"], [8, 1, 1])[0]
    if plan.kind in ("stall", "vanish"):  # an absent player's clock must outlast their absence
        clock = "normal" if plan.kind == "vanish" and rng.random() < 0.5 else "fast"
    wish: Json = {"mode": mode.key, "clock": clock}
    if mode.choice_field:
        wish |= rng.choice(mode.choices(Prices())).wishes
    if "base" in mode.asks:
        wish["rate_cents"] = rng.choice([10, 13, 33, 50, 77, 99, 101])  # rakes that are not even
        wish["has_cube"] = rng.random() < 0.6
    if "bank_cents" in mode.amounts:
        wish["bank_cents"] = wish["rate_cents"] * rng.choice([20, 22, 35])
    if "variant" in mode.asks and not mode.is_practice and rng.random() < 0.35:
        wish["variant"] = rng.choice(
            ["hypergammon", "hypergammon", "nackgammon", "acey_deucey", "portes", "tapa", "fevga"]
        )
        wish["has_cube"] = False
    return wish
