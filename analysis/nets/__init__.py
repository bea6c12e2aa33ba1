"""The trainer of the nets in `games.bots.nets`: many games at once, by self-play."""
