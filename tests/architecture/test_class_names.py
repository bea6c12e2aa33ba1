"""A class name means one thing: a reader who meets it anywhere knows which class it is."""

import ast
from collections import defaultdict

from tests.architecture.sources import ROOT, named

APPS = "accounts analysis backgammon fairplay games harness house kit ledger platform ratings"
OUTSIDE = {"migrations", "tests", "commands"}
"""Commands of Django have one name, and so have a test's own classes."""

KNOWN = {
    "Board",
    "DatabaseWrapper",
    "Entry",
    "Game",
    "LastPlay",
    "Match",
    "MatchResult",
    "Opinion",
    "Report",
    "Resignation",
    "Roll",
    "Snapshot",
    "Stakes",
    "Welcome",
}
"""Names with two meanings, to be ended; none is added. (Django asks for a `DatabaseWrapper`.)"""


def test_a_class_name_means_one_thing() -> None:
    places = defaultdict(set)
    for app in [*APPS.split(), "tournaments"]:
        for path in (ROOT / app).rglob("*.py"):
            if OUTSIDE.isdisjoint(path.relative_to(ROOT).parts[:-1]):
                for node in ast.parse(path.read_text()).body:
                    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                        places[node.name].add(named(path))
    several = {name: sorted(found) for name, found in places.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in KNOWN} == {}
    assert several.keys() >= KNOWN, "these names mean one thing now: take them out of KNOWN"
