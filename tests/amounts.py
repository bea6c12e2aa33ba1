"""How many cases the tests try: enough for every day, more in a long run."""

import os

import pytest

LONG = os.environ.get("PASCH_TEST_LONG") == "1"


def amount(usual: int, *, long: int) -> int:
    """`usual`, or `long` if PASCH_TEST_LONG=1 is set in the environment."""
    return long if LONG else usual


#: a test of many seconds that whole houses or many looks take: `.ci/run` runs it.
long_only = pytest.mark.skipif(not LONG, reason="scripts/test --long runs it, as .ci/run does")

#: a test that starts several servers of a kind and takes them away; one after the other, for they
#: count seconds: CONTRIBUTING.md has the command.
clusters_only = pytest.mark.skipif(
    os.environ.get("PASCH_TEST_CLUSTERS") != "1", reason="PASCH_TEST_CLUSTERS=1 runs it"
)
