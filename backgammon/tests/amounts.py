"""How many cases the tests try: enough for every change, more at night."""

import os

LONG = os.environ.get("PASCH_TEST_LONG") == "1"


def amount(usual: int, *, long: int) -> int:
    """Return `usual`, or `long` if PASCH_TEST_LONG=1 is set in the environment."""
    return long if LONG else usual
