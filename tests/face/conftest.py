"""A furnished house, and pages of its people in different looks."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings

from accounts.models import User
from harness.shown_house import Furnished, furnish
from tests.board.conftest import look, pages
from tests.desk.conftest import at_desk
from tests.face.looks import Look
from tests.page_pool import forget

__all__ = ["look", "pages"]


@pytest.fixture
def furnished(transactional_db: None, dice: Callable[..., None], settings: Any) -> Furnished:
    """The house in full swing."""
    settings.LEDGER_SEAL_FILE = ""
    return furnish(dice)


@pytest.fixture
def visit(furnished: Furnished, player: Callable[..., Any], live: str) -> Callable[..., Any]:
    """`visit("hilde", look)` is a page of that person in that look; None is a visitor.

    Staff have given the second factor. There is one page for each look, so a second call with the
    same look takes the page from the person before.
    """
    screens: dict[Look, Any] = {}

    def open_page(name: str | None, look: Look, **options: Any) -> Any:
        if look in screens:
            forget(screens[look])
        else:
            screens[look] = player(None, **{**look.context, **options})
        page = screens[look]
        cookies = {"preferences": f"theme={look.theme}"}
        if name is not None:
            user = User.objects.get(username=name)
            User.objects.filter(pk=user.pk).update(theme=look.theme, language=look.language)
            key = django_settings.SESSION_COOKIE_NAME
            cookies[key] = at_desk(user).cookies[key].value
        page.context.add_cookies(
            [{"name": key, "value": value, "url": live} for key, value in cookies.items()]
        )
        return page

    return open_page


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Take pictures only if the option asks for them, as they check nothing."""
    pictures = collection_path.name == "test_pictures.py"
    return True if pictures and not config.getoption("--screenshots") else None
