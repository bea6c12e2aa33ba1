"""The search finds the same nodes and moves in the same order as before (`tests.rules.graphs`)."""

from __future__ import annotations

import pytest

from tests.rules.graphs import FILE, cases, fingerprint

GOLDEN = dict(line.split(": ") for line in FILE.read_text().splitlines())
CASES = {name: case for name, *case in cases()}


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_the_graphs_are_the_golden_ones(name: str) -> None:
    assert fingerprint(*CASES[name]) == GOLDEN[name]
