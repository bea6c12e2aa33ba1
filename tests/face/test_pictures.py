"""A picture of every page and every state of the table; collected only with --screenshots.

`scripts/pictures` keeps them in var/pictures. Each has two: desktop and phone, one dark and
one light, in both languages; those that a README shows have all four. --pictured and --looks choose
fewer and others.
"""

import base64
import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pytest

from harness.shown_house import Furnished
from tests.face.looks import Look
from tests.face.moments import MOMENTS, Moment
from tests.face.places import PLACES, RARE, Place
from tests.face.test_pages import arrive, show

QUALITY: Final = 82
#: the size of common phones; the tests use a smaller one
PHONE: Final = {"viewport": {"width": 390, "height": 844}}
PICTURED: Final = (
    Look("nussbaum", "desktop", "en"),
    Look("ahorn", "phone", "de"),
    Look("ahorn", "desktop", "de"),
    Look("nussbaum", "phone", "en"),
    Look("nussbaum", "phone", "de"),
    Look("ahorn", "phone", "en"),
)
SHOWN: Final = frozenset(
    {"home", "lobby", "join", "table", "wallet", "ranking", "player", "rules", "welcome"}
)
#: draws what is below the screen, which a browser leaves out until somebody scrolls there
DRAW_ALL: Final = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { content-visibility: visible !important }');
  document.adoptedStyleSheets.push(sheet);
}"""
SHADES: Final = {"nussbaum": "dark", "ahorn": "light", "kontrast": "contrast"}


def looks_of(name: str, number: int, wanted: str | None) -> tuple[Look, ...]:
    """The looks that the option wants, or two in turn, or all."""
    if wanted:
        themes = {shade: theme for theme, shade in SHADES.items()}
        parts = [look.split("-") for look in wanted.split(",")]
        return tuple(Look(themes[shade], screen, language) for shade, screen, language in parts)
    if name in SHOWN:
        return (PICTURED[0], *PICTURED[2:3], *PICTURED[4:])
    return PICTURED[:2] if number % 2 else PICTURED[2:4]


def keep(page: Any, folder: Path, name: str, look: Look, *, whole: bool = True) -> None:
    """Write the picture as WebP, which Playwright cannot write."""
    session = page.context.new_cdp_session(page)
    told: dict[str, Any] = {"format": "webp", "quality": QUALITY}
    if whole:
        page.evaluate(DRAW_ALL)
        size = session.send("Page.getLayoutMetrics")["cssContentSize"]
        told |= {"clip": {**size, "scale": 1}, "captureBeyondViewport": True}
    shot = session.send("Page.captureScreenshot", told)["data"]
    session.detach()
    file = folder / f"{name}-{look.screen}-{SHADES[look.theme]}-{look.language}.webp"
    file.write_bytes(base64.b64decode(shot))


@pytest.fixture
def folder(request: pytest.FixtureRequest) -> Path:
    """The folder of the pictures."""
    named = Path(request.config.getoption("--screenshots"))
    named.mkdir(parents=True, exist_ok=True)
    return named


@pytest.fixture
def is_wanted(request: pytest.FixtureRequest) -> Callable[[str], bool]:
    """Whether the pictures of this page or state are wanted."""
    pattern = re.compile(request.config.getoption("--pictured") or "")
    return lambda name: pattern.search(name) is not None


@pytest.fixture
def looks(request: pytest.FixtureRequest) -> str | None:
    """The looks that the option names."""
    named: str | None = request.config.getoption("--looks")
    return named


@pytest.mark.django_db(transaction=True)
def test_pages(
    furnished: Furnished,
    visit: Callable[..., Any],
    folder: Path,
    is_wanted: Callable[[str], bool],
    looks: str | None,
) -> None:
    visits: list[tuple[Look, Place]] = [
        (look, place)
        for number, place in enumerate((*PLACES, *RARE))
        for look in looks_of(place.name, number, looks)
        if is_wanted(place.name)
    ]
    visits.sort(key=lambda visit: (str(visit[0]), visit[1].person or ""))
    for (look, person), theirs in groupby(visits, key=lambda visit: (visit[0], visit[1].person)):
        page = visit(person, look, **(PHONE if look.screen == "phone" else {}))
        for _, place in theirs:
            arrive(page, place, furnished, look)
            keep(page, folder, place.name, look, whole="table" not in place.name)


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
def test_tables(
    look: Callable[..., Any],
    moment: Moment,
    folder: Path,
    is_wanted: Callable[[str], bool],
    looks: str | None,
) -> None:
    name = f"state-{moment.name}"
    for seen in looks_of("", MOMENTS.index(moment), looks) if is_wanted(name) else ():
        page = show(look, moment, seen, **(PHONE if seen.screen == "phone" else {}))
        keep(page, folder, name, seen, whole=False)
