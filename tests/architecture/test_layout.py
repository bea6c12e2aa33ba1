"""The folder platform/ must stay a plain folder: a package of that name hides Python's own."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_platform_is_a_plain_folder():
    assert not (ROOT / "platform" / "__init__.py").exists()
    assert [
        p.name for p in (ROOT / "platform").iterdir() if p.is_dir() and p.name != "__pycache__"
    ] == ["pasch"]


def test_no_package_hides_the_standard_library():
    ours = {p.parent.name for p in ROOT.glob("*/__init__.py")} | {
        p.parent.name for p in ROOT.glob("platform/*/__init__.py")
    }
    assert ours.isdisjoint(sys.stdlib_module_names), ours & sys.stdlib_module_names
