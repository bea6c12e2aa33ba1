"""`bench.tamper` tries enough changes; `.ci/run` runs all of them."""

from bench.tamper.changes import APPLICATION, CHANGES


def test_enough_is_tried() -> None:
    by_role = [change for change in CHANGES if change.who == APPLICATION]
    assert len(by_role) >= 20
    assert len(CHANGES) - len(by_role) >= 60
    assert len({(change.who, change.name) for change in CHANGES}) == len(CHANGES)
