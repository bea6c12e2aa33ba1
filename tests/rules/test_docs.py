"""The pages about the rules: their examples run, their decisions and variants are complete."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

from games.rules.variants import KEYS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "rules.md"


def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_every_decision_named_anywhere_is_on_the_page() -> None:
    listed = set(re.findall(r"^\| (D\d+) \|", PAGE.read_text(), re.MULTILINE))
    vectors = json.loads((ROOT / "tests" / "vectors" / "rules.json").read_text())
    named = {number for case in vectors["moves"] for number in case["decisions"]}
    for path in (*ROOT.glob("games/rules/**/*.py"), *ROOT.glob("tests/rules/*.py")):
        named |= set(re.findall(r"\bD\d+\b", path.read_text()))
    assert named <= listed


def test_every_variant_is_on_the_page() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert sorted(rows) == sorted(KEYS)
