"""How many cases the tests try: enough for every day, more in a long run."""

import os

import pytest

LONG = os.environ.get("PASCH_TEST_LONG") == "1"


def amount(usual: int, *, long: int) -> int:
    """`usual`, or `long` if PASCH_TEST_LONG=1 is set in the environment."""
    return long if LONG else usual


#: a test of many seconds that whole houses or many looks take: `.ci/run` runs it.
long_only = pytest.mark.skipif(not LONG, reason="scripts/test --long runs it, as .ci/run does")
