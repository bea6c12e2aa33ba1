"""Every page of the site, in every look: accessible, complete and without errors."""

from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest

from tests.face.house import Furnished
from tests.face.inspection import findings, glance, settle
from tests.face.looks import Look, is_in_depth, looks_at
from tests.face.places import PLACES, Place

pytestmark = pytest.mark.django_db(transaction=True)
#: a daily run checks all pages, and some of them with axe
IN_DEPTH = {place.name for number, place in enumerate(PLACES) if is_in_depth(number)}
VISITS = [(look, place) for number, place in enumerate(PLACES) for look in looks_at(number)]
VISITS.sort(key=lambda visit: (str(visit[0]), visit[1].person or ""))


def test_every_page_is_readable_and_whole(furnished: Furnished, visit: Callable[..., Any]) -> None:
    found = []
    for (look, person), theirs in groupby(VISITS, key=lambda visit: (visit[0], visit[1].person)):
        page = visit(person, look)
        for _, place in theirs:
            arrive(page, place, furnished, look)
            look_at = findings if place.name in IN_DEPTH else glance
            told = [*look_at(page, look.language), *complaints(page, place)]
            found += [f"{place.name} in {look}: {line}" for line in told]
    assert not found, "\n".join(found)


def arrive(page: Any, place: Place, house: Furnished, look: Look) -> None:
    """Open the page and bring it to the state under test."""
    address = place.address(house)
    page.goto(address)
    assert page.url.endswith(address), f"{place.name} led to {page.url}"
    assert page.locator("html").get_attribute("lang") == look.language, place.name
    if place.name != "not-found":  # always dark: shown without a person's settings
        assert page.locator("html").get_attribute("data-theme") == look.theme, place.name
    place.then(page)
    settle(page)


def complaints(page: Any, place: Place) -> list[str]:
    """The errors of the console since the last page; a missing page reports itself."""
    said = [line for line in page.problems if place.name != "not-found" or "404" not in line]
    page.problems.clear()
    return said
