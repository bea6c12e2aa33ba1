"""Plakoto, the Greek pinning game."""

from games.rules.families.pinning import Pinning


class Plakoto(Pinning):
    """Pinning the opponent's mother wins two points once the own starting point is left."""

    key = "plakoto"
    mother_wins = True
