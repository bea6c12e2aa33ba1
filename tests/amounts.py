"""How many cases the tests try: enough for every day, more in a long run."""

import ast
import os
from collections.abc import Set

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


def larger(source: str, amounts: Set[str]) -> Set[str]:
    """The names of a module's functions that depend on one of these names of amounts.

    They do so by themselves, by a decorator, or through other names of the module, fixtures too.
    """
    parts = {name: _names(node) for node in ast.parse(source).body for name in _defined(node)}
    found = set(amounts)
    while more := {name for name, used in parts.items() if used & found} - found:
        found |= more
    return found


def _defined(node: ast.stmt) -> Set[str]:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            stored = (each for each in ast.walk(node) if isinstance(each, ast.Name))
            return {each.id for each in stored if isinstance(each.ctx, ast.Store)}
        case _:  # an `if LONG:` with what it defines
            inner = getattr(node, "body", [])
            return {name for each in inner for name in _defined(each)}


def _names(node: ast.stmt) -> Set[str]:
    """Every name that is read, and those of arguments, which may be fixtures."""
    read = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return read | {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
