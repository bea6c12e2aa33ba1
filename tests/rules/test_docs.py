"""The pages about the rules: examples that run, and complete lists of decisions and variants."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

from tests.rules.rules_page import PAGE, with_table

ROOT = Path(__file__).resolve().parents[2]


def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 5
    assert failed == 0


def test_every_decision_named_anywhere_is_on_the_page() -> None:
    listed = set(re.findall(r"\bD\d+\b", PAGE.read_text()))
    vectors = json.loads((ROOT / "backgammon/tests/vectors/rules.json").read_text())
    named = {number for case in vectors["moves"] for number in case["decisions"]}
    for path in (*ROOT.glob("backgammon/rules/**/*.py"), *ROOT.glob("backgammon/tests/rules/*.py")):
        named |= set(re.findall(r"\bD\d+\b", path.read_text()))
    assert sorted(named - listed) == []


def test_the_table_of_variants_is_that_of_the_registry() -> None:
    page = PAGE.read_text()
    assert page == with_table(page), "`python -m tests.rules.golden` writes the table"
