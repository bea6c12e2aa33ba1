"""The trainer of the nets in `backgammon.evaluation.nets`: many games at once, by self-play."""
