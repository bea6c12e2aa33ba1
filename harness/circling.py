"""A chouette that waits for people and one that plays, for the pictures of the house."""

from dataclasses import dataclass

from accounts.models import User
from games.chouette.commands import StartGame
from games.chouette.models import Circle, Game
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command


@dataclass(frozen=True, slots=True)
class Circling:
    """marlene waits with a house bot; tilo plays with two."""

    waiting: Circle
    running: Game


def circle(users: dict[str, User]) -> Circling:
    """Open the tables, and begin the game."""
    waiting = circle_open(user=users["marlene"], bots=1)
    playing = circle_open(user=users["tilo"], bots=2)
    chouette_command(user=users["tilo"], circle_id=playing.pk, command=StartGame())
    return Circling(waiting, Game.objects.get(circle=playing))
