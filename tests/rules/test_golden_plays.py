"""Golden counts and graphs of every variant and roll, and the checks of a variant's file."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from backgammon.rules import variants
from backgammon.rules.variant import Variant
from tests.rules.golden import FIRST_TURN, FOLDER, counts, file_of
from tests.rules.graphs import FILE, cases, fingerprint

each_variant = pytest.mark.parametrize("variant", variants.ALL, ids=lambda variant: variant.key)


@each_variant
def test_the_counts_are_the_golden_ones(variant: Variant) -> None:
    written = "`python -m tests.rules.golden` writes it"
    assert file_of(variant).exists(), f"{file_of(variant)} is missing; {written}"
    assert counts(variant) == file_of(variant).read_text()


@each_variant
def test_a_golden_file_begins_with_the_start(variant: Variant) -> None:
    assert file_of(variant).read_text().splitlines()[2] == variant.start.text() + FIRST_TURN


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(variants.KEYS)


def module(name: str, *attributes: dict[str, str]) -> ModuleType:
    """A file of the folder with one class for each of `attributes`."""
    made = ModuleType(f"backgammon.rules.variants.{name}")
    for number, each in enumerate(attributes):
        kind = type(f"Longgammon{number}", (Variant,), {**each, "__module__": made.__name__})
        setattr(made, kind.__name__, kind)
    return made


WHOLE = {"key": "longgammon", "name": "Longgammon"}


def test_a_file_with_one_named_class_is_a_variant() -> None:
    assert variants.variant_of(module("longgammon", WHOLE)).name == "Longgammon"


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ([], "defines 0 subclasses of Variant"),
        ([WHOLE, WHOLE], "defines 2 subclasses of Variant"),
        ([{"name": "Longgammon"}], 'lacks `key = "longgammon"`'),
        ([{**WHOLE, "key": "long"}], 'lacks `key = "longgammon"`'),
        ([{"key": "longgammon"}], "lacks `name = "),
    ],
)
def test_a_file_that_is_no_variant_is_named_with_what_it_lacks(attributes, said) -> None:
    with pytest.raises(TypeError, match=re.escape(said)) as refused:
        variants.variant_of(module("longgammon", *attributes))
    assert "backgammon/rules/variants/longgammon.py" in str(refused.value)


# --- graphs ---------------------------------------------------------------------------------------
GOLDEN = dict(line.split(": ") for line in FILE.read_text().splitlines())
CASES = {name: case for name, *case in cases()}


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_the_graphs_are_the_golden_ones(name: str) -> None:
    assert fingerprint(*CASES[name]) == GOLDEN[name]
