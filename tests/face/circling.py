"""A chouette that waits for people, for the pictures of the house."""

from dataclasses import dataclass

from accounts.models import User
from chouette.models import Circle
from chouette.services.opening import circle_open


@dataclass(frozen=True, slots=True)
class Circling:
    """marlene waits with a house bot."""

    waiting: Circle


def circle(users: dict[str, User]) -> Circling:
    """Open the table."""
    return Circling(circle_open(user=users["marlene"], bots=1))
