"""Levels of play: the judgement of the strongest level, with errors of known size."""
