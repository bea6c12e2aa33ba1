"""The settings of real processes under test: those of the tests, with dice from a file if named.

They count as embedded: a house on the internet refuses to start with such dice. The pause between
two games is a short one, since no test of whole processes is about its length.
"""

import os

from games.table import evolve
from harness.settings import *  # noqa: F403 (all of them)
from harness.settings import DATABASES

# The web server opens its pool itself, after its checks (pasch/asgi.py).
del DATABASES["default"]["OPTIONS"]["pool"]

EMBEDDED = True
if "PASCH_TEST_DICE" in os.environ:  # harness.dice, which needs these settings first
    DICE_SOURCE = "harness.dice.ScriptedDice"

evolve.NEXT_GAME_MS = 2_000
