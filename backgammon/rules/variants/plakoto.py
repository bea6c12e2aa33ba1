"""Plakoto, the Greek pinning game."""

from backgammon.rules.families import Pinning
from backgammon.rules.naming import gettext_noop


class Plakoto(Pinning):
    """Pinning the opponent's mother wins two points once the own starting point is left."""

    key = "plakoto"
    name = gettext_noop("Plakoto")
    mother_wins = True
