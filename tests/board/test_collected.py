"""When collected for production, every script that a page loads contains all its imports."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings

from pasch.assets.storage import MINIFIERS

pytestmark = pytest.mark.slow

HASHED = re.compile(r"\.[0-9a-f]{12}\.(js|css)$")
#: scripts, styles, fonts and symbols of the table page, compressed; its own text is about 10 more.
PAGE_KIB_MAX = 140
ROOT = Path(__file__).resolve().parents[2]
TEMPLATES, STATIC = ROOT / "templates", ROOT / "static"


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The collected files of this worker, not compressed."""
    root = tmp_path_factory.mktemp("static")
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "pasch.assets.storage.StaticStorage"},
    }
    plain = {"SERVESTATIC_USE_GZIP": False, "SERVESTATIC_USE_BROTLI": False}
    with override_settings(STATIC_ROOT=root, STORAGES=storages, **plain):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


def modules(root: Path) -> list[Path]:
    found = [*root.glob("board/*.js"), *root.glob("js/table*.js"), *root.glob("js/table/*.js")]
    return [path for path in found if HASHED.search(path.name)]


def test_no_file_that_a_page_loads_imports_another(collected: Path) -> None:
    named = "".join(path.read_text() for path in TEMPLATES.rglob("*.html"))
    wanted = set(re.findall(r"'((?:css|js|fairness|board)/[\w/-]+\.(?:css|js))'", named))
    assert len(wanted) > 20
    for name in wanted:
        text = hashed(collected, name).read_text()
        assert not re.search(r"(^|[;}\s])import\b\s*[{*\"]|@import", text), name


def test_the_table_page_stays_light(collected: Path) -> None:
    named = "".join((TEMPLATES / name).read_text() for name in ("base.html", "games/table.html"))
    wanted = set(re.findall(r"'((?:css|js|fairness|board)/[\w/-]+\.(?:css|js))'", named))
    assert {"css/house.css", "css/room.css", "js/shell.js", "js/table.js"} <= wanted
    sent = [hashed(collected, name) for name in wanted]
    fonts = [path for path in collected.glob("fonts/*.woff2") if path.name.count(".") == 1]
    sizes = [len(gzip.compress(path.read_bytes())) for path in [*sent, collected / "icons.svg"]]
    sizes += [path.stat().st_size for path in fonts]
    assert sum(sizes) < PAGE_KIB_MAX * 1024


def hashed(collected: Path, name: str) -> Path:
    """The file that the page gets for this name, with all its imports inside."""
    folder, _slash, last = name.rpartition("/")
    stem, _dot, kind = last.rpartition(".")
    (found,) = (
        path
        for path in (collected / folder).glob(f"{stem}.*.{kind}")
        if HASHED.fullmatch(path.name.removeprefix(stem))
    )
    return found


def exported(page: Any, name: str) -> list[str]:
    """The names that a module exports, or the type of error that importing it raises."""
    return page.evaluate(
        "name => import(name).then(all => Object.keys(all).sort(), error => [error.name])", name
    )


def test_minified_modules_are_the_same_modules(collected: Path, browser: Any) -> None:
    """They parse and export the same names as before (those that need a page fail alike)."""
    context = browser.new_context(base_url="http://localhost:1")

    def answer(route: Any, request: Any) -> None:
        name = request.url.removeprefix("http://localhost:1/")
        if not name:
            return route.fulfill(body="<!doctype html>", content_type="text/html")
        folder = STATIC if name.startswith("source/") else collected
        path = folder / name.removeprefix("source/")
        return route.fulfill(path=path, content_type="text/javascript")

    context.route("**/*", answer)
    page = context.new_page()
    page.goto("/")
    for path in modules(collected):
        place = path.relative_to(collected)
        source = re.sub(r"\.[0-9a-f]{12}\.js$", ".js", str(place))
        as_source = exported(page, f"/source/{source}")
        assert as_source != ["SyntaxError"]
        assert exported(page, f"/{place}") == as_source, source
    context.close()


#: what the browser reads in a style sheet: all selectors, and all text without white space
READ = """text => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  const inside = (rules) =>
    [...rules].flatMap((rule) => [rule.selectorText, ...inside(rule.cssRules ?? [])]);
  const whole = [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s/g, ""));
  return [inside(sheet.cssRules).filter(Boolean), whole];
}"""


def test_a_minified_style_sheet_says_the_same(page: Any) -> None:
    """Without the space before a pseudo-class a rule is about other elements."""
    sheets = [path for part in ("css", "board") for path in STATIC.glob(f"{part}/*.css")]
    assert len(sheets) > 30
    for path in sheets:
        text = path.read_text()
        minified = MINIFIERS[".css"](text)
        assert page.evaluate(READ, minified) == page.evaluate(READ, text), path.name
