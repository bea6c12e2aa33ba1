"""The rules of the project that no other tool checks."""

import ast
import re
import sys
from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, named, sources

FILE_LINES_MAX = 400
#: people download it alone and read it whole before they trust it.
ONE_FILE_ON_PURPOSE = {"static/fairness/verify.py"}
FUNCTION_LINES_MAX = 70
CLASS_VARIABLES_MAX = 12
CLASS_METHODS_MAX = 25
#: classes that are bigger and wait for somebody to divide them; none may be added.
STILL_BIGGER = {
    "backgammon/evaluation/nets/boards.py:NetKind",
    "backgammon/formats/open_game.py:OpenGame",
    "backgammon/train/nets/training.py:SelfPlay",
    "games/chouette/engine/table.py:Chouette",
    "games/forms/tables.py:TermsForm",
    "games/live/table.py:TableConsumer",
    "platform/pasch/web/frame_socket.py:FrameSocket",
}
UNCLEAR = re.compile(r"\A(?:Who|Whoever|Whom|Whose|What)\b|\b(?:he|him|his|she|hers)\b")
SAYS_NOTHING = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "misc"}


def ours(*suffixes: str) -> list[Path]:
    """Files that people write, so no migrations, which Django writes."""
    return [path for path in sources(*suffixes) if "migrations" not in path.parts]


def test_no_file_is_longer_than_a_reader_wants() -> None:
    lengths = {
        named(path): len(path.read_text().splitlines())
        for path in ours(".py", ".js", ".css", ".html", ".sh")
    }
    too_long = {name for name, lines in lengths.items() if lines > FILE_LINES_MAX}
    assert too_long == ONE_FILE_ON_PURPOSE


def test_no_function_is_longer_than_a_screen() -> None:
    too_long = {}
    for path in ours(".py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    too_long[f"{named(path)}:{node.name}"] = lines
    assert too_long == {}


def variables_of(defined: ast.ClassDef) -> set[str]:
    """The names that the methods of a class set on `self`."""
    return {
        node.attr
        for node in ast.walk(defined)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }


def test_no_class_holds_more_than_a_reader_keeps_in_mind() -> None:
    too_big = set()
    for path in ours(".py"):
        if named(path).startswith(("bench/", "harness/", "tests/", "backgammon/tests/")):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                methods = sum(isinstance(each, ast.FunctionDef) for each in node.body)
                methods += sum(isinstance(each, ast.AsyncFunctionDef) for each in node.body)
                if len(variables_of(node)) > CLASS_VARIABLES_MAX or methods > CLASS_METHODS_MAX:
                    too_big.add(f"{named(path)}:{node.name}")
    assert too_big - STILL_BIGGER == set()


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [named(path) for path in sources(".py", ".js") if path.stem in SAYS_NOTHING] == []


def test_docstrings_begin_with_their_subject_and_name_people_they() -> None:
    """ "Who left loses" and "his client" read badly; so do descriptions that begin with "What"."""
    unclear = []
    for path in ours(".py"):
        if "tests/" in named(path):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node) or ""
                if UNCLEAR.search(text):
                    unclear.append(f"{named(path)}: {text.splitlines()[0]}")
    assert unclear == []


def test_every_row_lock_says_whether_it_locks_the_key() -> None:
    """A lock of the key also blocks inserts that only reference the row (docs/locking.md)."""
    silent = []
    for path in ours(".py"):
        if named(path).startswith(("bench/", "harness/", "tests/")):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                said = {keyword.arg for keyword in node.keywords}
                if node.func.attr == "select_for_update" and "no_key" not in said:
                    silent.append(f"{named(path)}:{node.lineno}")
    assert silent == []


class Inline(HTMLParser):
    """Collects all that a strict content security policy would refuse."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        data = given.get("type") == "application/json"
        if tag == "style" or (tag == "script" and "src" not in given and not data):
            self.found.append(f"<{tag}>")
        self.found += [name for name in given if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("path", list(sources(".html", ".svg")), ids=named)
def test_no_template_has_inline_scripts_or_styles(path: Path) -> None:
    parser = Inline()
    parser.feed(re.sub(r"{%.*?%}", " ", path.read_text(), flags=re.DOTALL))
    assert parser.found == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("deploy/requirements/*.lock")), ids=named)
def test_a_lock_names_packages_and_digests_and_no_address(path: Path) -> None:
    lines = path.read_text().splitlines()
    pinned = [line for line in lines if line and not line.startswith(" ")]
    assert pinned
    assert all(re.match(r"[a-z0-9._-]+(\[[a-z0-9,-]+\])?==\S+ ", line) for line in pinned)
    assert all("--hash=sha256:" in line for line in lines if line.startswith(" "))
    assert not re.search(r"://|--(extra-)?index-url|--find-links", path.read_text())


def test_the_checks_themselves_find_what_they_look_for() -> None:
    parser = Inline()
    parser.feed("<style></style><script>1</script><p style='x' onclick='y'><script src=a></script>")
    assert parser.found == ["<style>", "<script>", "style", "onclick"]


# --- packages -------------------------------------------------------------------------------------
def test_platform_is_a_plain_folder_with_one_package() -> None:
    folder = ROOT / "platform"
    assert not (folder / "__init__.py").exists()
    assert {p.name for p in folder.iterdir() if p.is_dir()} - {"__pycache__"} == {"pasch"}
    assert not list(folder.glob("*.py")), "it is on the path: a loose module would be global"


def test_no_package_hides_the_standard_library() -> None:
    packages = [*ROOT.glob("*/__init__.py"), *ROOT.glob("platform/*/__init__.py")]
    ours = {path.parent.name for path in packages}
    assert ours.isdisjoint(sys.stdlib_module_names), ours & sys.stdlib_module_names


# --- class names ----------------------------------------------------------------------------------
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
