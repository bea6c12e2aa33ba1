"""Chouettes for the pictures of the house: one that waits for people, and one that is played."""

import random
from dataclasses import dataclass

from accounts.models import User
from chouette.models import Circle
from tests.chouette.conftest import Hands, at_random


@dataclass(frozen=True, slots=True)
class Circling:
    """marlene waits with a house bot; hilde plays for credits, and the team may double."""

    waiting: Circle
    playing: Circle


def circle(users: dict[str, User]) -> Circling:
    """Open both tables and play the second one to a decision about cubes."""
    waiting = Hands([users["marlene"]], bots=1).circle
    others = User.objects.filter(username__in=("nuria", "kofi", "dimitra"))
    hands = Hands([users["hilde"], *others], rate_cents=10, limit_points=8)
    hands.begin()
    choose = at_random(random.Random(5), doubles=0)
    while hands.view()["phase"] != "team_decides":  # within three plays
        hands.step(choose)
    return Circling(waiting, hands.circle)
