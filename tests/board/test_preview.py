"""The picture of a board beside a link: as the page draws it, without a browser.

`PASCH_WRITE_PIECES=1` draws the sheet of its pieces anew.
"""

import os
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from backgammon.pictures import preview as previews
from backgammon.pictures.preview import SHEET, preview, sheet_svg
from backgammon.pictures.svg import svg
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

pytestmark = pytest.mark.slow

#: of 255, in the mean over all pixels and colours: what the compression changes
DIFFERENCE_MOST = 5.0
LATE = "2 3 7 0 0 0 0 0 -2 0 0 0 0 0 0 0 0 0 0 0 -2 0 -3 -3 | bar 1 0 | off 2 5"
BOARDS: dict[str, tuple[Position, dict[str, Any]]] = {
    "start": (by_key("backgammon").start, {"dice": (3, 1), "cube": 1}),
    "late": (Position.parse(LATE), {"dice": (6, 6), "cube": 16, "cube_owner": "op"}),
    "turned": (Position.parse(LATE), {"turned": True, "dice": (5, 2), "cube": 4}),
}


@pytest.fixture
def shot(browser: Any) -> Callable[..., Image.Image]:
    def shoot(drawn: str, width: int, height: int) -> Image.Image:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_content(f'<body style="margin:0">{drawn}</body>')
        made = page.screenshot(omit_background=True)
        page.close()
        return Image.open(BytesIO(made))

    return shoot


def test_the_sheet_has_all_pieces(shot: Callable[..., Image.Image]) -> None:
    with Image.open(SHEET) as kept:
        made = shot(sheet_svg(), *kept.size)
        if os.environ.get("PASCH_WRITE_PIECES"):
            made.save(SHEET, "WEBP", quality=95, method=6)
        assert difference(kept.convert("RGBA"), made) < DIFFERENCE_MOST


@pytest.mark.parametrize("name", BOARDS)
def test_a_preview_is_what_the_svg_is(shot: Callable[..., Image.Image], name: str) -> None:
    position, shown = BOARDS[name]
    made = Image.open(BytesIO(preview(position, **shown)))
    assert (made.format, made.size) == ("JPEG", (1200, 630))
    box = (previews.LEFT, previews.MARGIN, 1200 - previews.LEFT, 630 - previews.MARGIN)
    width, height = box[2] - box[0], box[3] - box[1]
    drawn = svg(position, **shown).replace("<svg ", f'<svg style="width:{width}px;height:auto" ', 1)
    theirs = shot(drawn, width, height)
    assert difference(made.crop(box), theirs) < DIFFERENCE_MOST


def difference(one: Image.Image, other: Image.Image) -> float:
    """The mean over all pixels and colours."""
    apart = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    return sum(ImageStat.Stat(apart).mean) / 3


def test_what_lies_elsewhere_makes_another_picture() -> None:
    """The measure above is small beside what one checker changes."""
    start = by_key("backgammon").start
    moved = Position.parse(LATE)
    one, other = (Image.open(BytesIO(preview(each))) for each in (start, moved))
    assert difference(one, other) > 2 * DIFFERENCE_MOST


@pytest.mark.parametrize("shown", [{"dice": (7,)}, {"cube": 3}])
def test_there_is_no_picture_of_what_does_not_exist(shown: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no picture"):
        preview(by_key("backgammon").start, **shown)
