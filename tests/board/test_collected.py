"""Collected for production, every module finds the modules it imports under their hashed names."""

import gzip
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

HASHED = re.compile(r"\.[0-9a-f]{12}\.(js|css)$")
PAGE_KIB_MAX = 80
TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("static")
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "pasch.storage.StaticStorage"},
    }
    with override_settings(STATIC_ROOT=root, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


def modules(root: Path) -> list[Path]:
    found = [*root.glob("board/*.js"), *root.glob("js/table*.js"), *root.glob("js/table/*.js")]
    return [path for path in found if HASHED.search(path.name)]


def test_every_import_names_a_hashed_file_that_exists(collected: Path) -> None:
    assert len(modules(collected)) > 25
    for module in modules(collected):
        for name in re.findall(r'^import .* from "(.+)";$', module.read_text(), re.MULTILINE):
            assert HASHED.search(name), f"{module.name} imports {name}"
            assert (module.parent / name).resolve().exists(), f"{module.name} imports {name}"


def test_scripts_and_styles_of_the_table_page_stay_light(collected: Path) -> None:
    named = "".join((TEMPLATES / name).read_text() for name in ("base.html", "games/table.html"))
    wanted = set(re.findall(r"'css/([\w-]+)\.css'", named))
    hashed = [path for path in collected.glob("css/*.css") if HASHED.search(path.name)]
    styles = [path for path in hashed if path.name.split(".")[0] in wanted]
    assert len(styles) == len(wanted) > 8
    sizes = [len(gzip.compress(path.read_bytes())) for path in [*modules(collected), *styles]]
    assert sum(sizes) < PAGE_KIB_MAX * 1024
