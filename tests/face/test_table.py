"""Every state of the table, in every look: accessible, complete and without errors."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.face.inspection import at_every_size, findings, glance, settle
from tests.face.looks import Look, is_in_depth, looks_at
from tests.face.moments import MOMENTS, Moment

pytestmark = pytest.mark.slow
#: states share most of a page: a daily run checks half of them, and some with axe
IN_DEPTH = {
    (moment.name, look)
    for number, moment in enumerate(MOMENTS)
    for look in looks_at(number)
    if is_in_depth(number, look)
}
VISITS = [(moment, look) for number, moment in enumerate(MOMENTS) for look in looks_at(number)]


@pytest.mark.parametrize(
    ("moment", "seen"), VISITS, ids=[f"{moment.name}-{seen}" for moment, seen in VISITS]
)
def test_every_state_is_readable_and_whole(
    look: Callable[..., Any], moment: Moment, seen: Look
) -> None:
    page = show(look, moment, seen)
    found = (findings if (moment.name, seen) in IN_DEPTH else glance)(page, seen.language)
    found += at_every_size(page, seen.screen)
    assert not found, "\n".join(found)
    hollow(page)


def show(look: Callable[..., Any], moment: Moment, seen: Look, **options: Any) -> Any:
    """The page in that state; errors of the console fail the test at its end."""
    house = moment.table()
    page = look(
        house, theme=seen.theme, lang=seen.language, by_hand=True, **{**seen.context, **options}
    )
    moment.reach(house, page)
    settle(page)
    return page


def hollow(page: Any) -> None:
    """No text has an unfilled placeholder or an undefined value."""
    text = page.locator("body").inner_text()
    labels = page.locator("[aria-label]").evaluate_all("all => all.map(e => e.ariaLabel)")
    for written in [text, *labels]:
        assert "{" not in written
        assert "undefined" not in written
