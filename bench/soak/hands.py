"""The players' commands: quick legal plays, and every way in which a match can end."""

from dataclasses import dataclass, field
from random import Random
from typing import Final

from games.modes.prices import Prices
from games.modes.registry import ALL
from harness.hands import Json

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
