"""Nets for the variants that the engine does not support; `backgammon.train.nets` trains them."""
