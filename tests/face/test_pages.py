"""Every page of the site, in every look: accessible, complete and without errors."""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

import pytest
from django.urls import get_resolver

from harness.shown_house import Furnished
from tests.face.inspection import SIZES, at_every_size, findings, glance, settle
from tests.face.looks import Look, is_in_depth, looks_at
from tests.face.places import NO_PAGES, PLACES, RARE, Place
from tests.face.weight import heavy

pytestmark = pytest.mark.django_db(transaction=True)
#: pages that are errors, with the number of each
REFUSED = {"not-found": "404", "forbidden": "403", "match-report-private": "403"}
VISITED = (*PLACES, *RARE)
IN_DEPTH = {
    (look, place.name)
    for number, place in enumerate(VISITED)
    for look in looks_at(number)
    if is_in_depth(number, look)
}
VISITS = [(look, place) for number, place in enumerate(VISITED) for look in looks_at(number)]
VISITS.sort(key=lambda visit: (str(visit[0]), visit[1].person or ""))


@pytest.mark.slow
def test_every_page_is_readable_and_whole(furnished: Furnished, visit: Callable[..., Any]) -> None:
    found = []
    for (look, person), theirs in groupby(VISITS, key=lambda visit: (visit[0], visit[1].person)):
        page = visit(person, look)
        for _, place in theirs:
            arrive(page, place, furnished, look)
            look_at = findings if (look, place.name) in IN_DEPTH else glance
            told = [*look_at(page, look.language), *at_every_size(page, look.screen)]
            told += [*heavy(page), *complaints(page, place)]
            found += [f"{place.name} in {look}: {line}" for line in told]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", ["de-DE", "en-GB"])
def test_a_few_pages_fit_every_screen(player: Callable[..., Any], language: str) -> None:
    page = player("hilde", locale=language)
    found = []
    for path in ("/", "/play/", "/play/practice/", "/wallet/", "/learn/hitting/"):
        page.goto(path)
        told = (line for screen in SIZES for line in at_every_size(page, screen))
        found += [f"{path}: {line}" for line in told]
    assert not found, "\n".join(found)


def test_every_address_is_in_the_list() -> None:
    listed = {place.address.name for place in (*PLACES, *RARE)}
    addresses = set(_names(get_resolver()))
    assert addresses - listed == NO_PAGES, "a page needs a line in tests/face/places.py"


def _names(resolver: Any, space: str = "") -> Iterator[str]:
    """The names of all addresses but those of the REST interface and Django's own admin."""
    for pattern in resolver.url_patterns:
        if not hasattr(pattern, "url_patterns"):
            if pattern.name:  # one without a name leads to another address
                yield f"{space}{pattern.name}"
        elif pattern.app_name != "admin" and not str(pattern.pattern).startswith("api/"):
            yield from _names(pattern, f"{pattern.namespace}:" if pattern.namespace else space)


def arrive(page: Any, place: Place, house: Furnished, look: Look) -> None:
    """Open the page and bring it to the state under test."""
    address = place.address(house)
    page.goto(address)
    assert page.url.endswith(address), f"{place.name} led to {page.url}"
    assert page.locator("html").get_attribute("lang") == look.language, place.name
    if place.name not in REFUSED:  # always dark: shown without a person's settings
        assert page.locator("html").get_attribute("data-theme") == look.theme, place.name
    place.then(page)
    settle(page)


def complaints(page: Any, place: Place) -> list[str]:
    """The errors of the console since the last page; a refused page reports itself."""
    number = REFUSED.get(place.name, "no number")
    said = [line for line in page.problems if number not in line]
    page.problems.clear()
    return said
