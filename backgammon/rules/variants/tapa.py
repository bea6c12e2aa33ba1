"""Tapa, the Bulgarian pinning game: Plakoto without the winning mother."""

from backgammon.rules.families import Pinning
from backgammon.rules.naming import gettext_noop


class Tapa(Pinning):
    """Pinning the last starter wins nothing; only two pinned mothers end the game, in a draw."""

    key = "tapa"
    name = gettext_noop("Tapa")
    mother_wins = False
