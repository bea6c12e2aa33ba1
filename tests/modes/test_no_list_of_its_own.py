"""Only the file of a mode compares its key: all differences are in the object."""

import ast
import re

import pytest

from games.modes.terms import KEYS
from tests.architecture.sources import ROOT, named

ASKED = re.compile(r"""\bmode\s*(?:[!=]==?|in)\s*["'(\[]\W*(?:{})\b""".format("|".join(KEYS)))
NAMED = re.compile(r"""mode.*["'](?:{})["']""".format("|".join(KEYS)), re.DOTALL)
FOLDERS = (
    *("accounts", "games", "house", "kit", "ledger", "platform", "ratings"),
    *("static/js", "templates"),
)


def comparisons(source: str) -> list[str]:
    """The comparisons of a mode with a key in a Python file."""
    found: list[str] = []
    if not NAMED.search(source):
        return found
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            constants = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
            text = ast.unparse(node)
            if constants & set(KEYS) and re.search(r"\bmode\b", text):
                found.append(text)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_code_and_no_template_compares_the_key_of_a_mode(folder: str) -> None:
    found = {}
    for path in sorted((ROOT / folder).rglob("*")):
        if "migrations" in path.parts or "vendor" in path.parts:
            continue
        if path.suffix == ".py":
            asked = comparisons(path.read_text())
        elif path.suffix in (".js", ".html"):
            asked = ASKED.findall(path.read_text())
        else:
            continue
        if asked:
            found[named(path)] = asked
    assert found == {}


def test_a_comparison_is_found() -> None:
    assert comparisons("if terms.mode in ('stake', 'normal') or row['mode'] != 'practice': pass")
    assert not comparisons("game.mode == 'L' or clock == 'normal'")
    for line in ('view.mode === "practice"', 'mode == "prize5"', "mode in ['single', 1]"):
        assert ASKED.search(line), line
    assert not ASKED.search('fair.mode === "L"')
