"""The folder platform/ must stay a plain folder: a package of that name hides Python's own."""

import sys

from tests.architecture.sources import ROOT


def test_platform_is_a_plain_folder_with_one_package() -> None:
    folder = ROOT / "platform"
    assert not (folder / "__init__.py").exists()
    assert {p.name for p in folder.iterdir() if p.is_dir()} - {"__pycache__"} == {"pasch"}
    assert not list(folder.glob("*.py")), "it is on the path: a loose module would be global"


def test_no_package_hides_the_standard_library() -> None:
    packages = [*ROOT.glob("*/__init__.py"), *ROOT.glob("platform/*/__init__.py")]
    ours = {path.parent.name for path in packages}
    assert ours.isdisjoint(sys.stdlib_module_names), ours & sys.stdlib_module_names
