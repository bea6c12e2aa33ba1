"""Two people in two browsers, one of them on a phone."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.services.conftest import dice

__all__ = ["dice"]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def shots(request: pytest.FixtureRequest) -> Callable[..., None]:
    """`shots(page, "lobby")` keeps a picture in the folder that --screenshots names, if given."""
    folder = request.config.getoption("--screenshots")

    def keep(page: Any, name: str, **options: Any) -> None:
        if folder:
            page.screenshot(path=f"{folder}/{name}.png", **options)

    return keep
