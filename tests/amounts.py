"""How much of a thing the tests try: enough every time, more where somebody asks for it."""

import os

LONG = os.environ.get("PASCH_TEST_LONG") == "1"


def amount(usual: int, *, long: int) -> int:
    """`usual`, or `long` when the environment says PASCH_TEST_LONG=1."""
    return long if LONG else usual
