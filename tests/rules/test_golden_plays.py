"""The golden counts of every variant and roll, and the way to add a variant that ends with one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from games.rules import variants
from games.rules.variant import Variant
from tests.rules.golden import FOLDER, counts, file_of

FILES = Path(variants.__file__).parent
each_variant = pytest.mark.parametrize("variant", variants.ALL, ids=lambda variant: variant.key)


@each_variant
def test_the_counts_are_the_golden_ones(variant: Variant) -> None:
    assert counts(variant) == file_of(variant).read_text()


@each_variant
def test_a_variant_is_one_file_with_one_class(variant: Variant) -> None:
    module = import_module(f"games.rules.variants.{variant.key}")
    assert module.__doc__, "the file says what the game is"
    assert type(variant).__module__ == module.__name__
    assert type(variant).__doc__, "the class says what differs"
    own = [
        kind for kind in vars(module).values() if getattr(kind, "__module__", "") == module.__name__
    ]
    assert [kind for kind in own if isinstance(kind, type) and issubclass(kind, Variant)] == [
        type(variant)
    ]


def test_every_file_is_in_the_registry_and_has_golden_counts() -> None:
    files = {path.stem for path in FILES.glob("*.py")} - {"__init__"}
    assert files == set(variants.KEYS)
    assert {path.stem for path in FOLDER.glob("*.txt")} == files


def test_the_walk_through_names_what_it_takes() -> None:
    page = (FILES.parents[2] / "docs" / "adding-a-variant.md").read_text()
    for step in (
        "games/rules/variants/",
        "games/rules/variants/__init__.py",
        "python -m tests.rules.golden",
        "tests/golden/plays/",
        "tests/rules/oracle.py",
    ):
        assert step in page
