"""Every page, form and state of the table, in every look: accessible, complete, without errors."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final

import pytest
from django.urls import get_resolver

from accounts.models import User
from harness.shown_house import Furnished
from tests.face.inspection import SIZES, at_every_size, findings, glance, heavy, settle
from tests.face.looks import Look, is_in_depth, looks_at
from tests.face.moments import MOMENTS, Moment
from tests.face.places import ADMINISTRATOR, NO_PAGES, PLACES, PLAYER, RARE, VISITOR, Place
from tests.face.posting import faults_of, forms_of, key_of

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


@pytest.mark.django_db(transaction=True)
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


# --- states of the table --------------------------------------------------------------------------
#: states share most of a page: a daily run checks half of them, and some with axe
STATES_IN_DEPTH = {
    (moment.name, look)
    for number, moment in enumerate(MOMENTS)
    for look in looks_at(number)
    if is_in_depth(number, look)
}
STATES = [(moment, look) for number, moment in enumerate(MOMENTS) for look in looks_at(number)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("moment", "seen"), STATES, ids=[f"{moment.name}-{seen}" for moment, seen in STATES]
)
def test_every_state_is_readable_and_whole(
    look: Callable[..., Any], moment: Moment, seen: Look
) -> None:
    page = show(look, moment, seen)
    found = (findings if (moment.name, seen) in STATES_IN_DEPTH else glance)(page, seen.language)
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


# --- forms ----------------------------------------------------------------------------------------
ENGLISH: Final = Look("nussbaum", "desktop", "en")
GERMAN: Final = Look("nussbaum", "desktop", "de")
#: forms of the sample that every run posts, for a stranger and for a member
SAMPLE: Final = ("/play/practice/", "/play/quick/", "/accounts/login/")


def visits() -> list[tuple[Look, str | None, Place]]:
    """Every page for its reader, and pages for all for one more, each in one language."""
    found = []
    for number, place in enumerate(each for each in (*PLACES, *RARE) if each.name not in REFUSED):
        looks = (ENGLISH, GERMAN) if number % 2 else (GERMAN, ENGLISH)
        found.append((looks[0], place.person, place))
        if place.person is VISITOR and not place.address.paths:
            found.append((looks[1], (PLAYER, ADMINISTRATOR)[number // 2 % 2], place))
    return sorted(found, key=lambda visit: (str(visit[0]), visit[1] or ""))


@pytest.mark.slow
def test_every_form_leads_on_or_says_what_is_wrong(
    furnished: Furnished, visit: Callable[..., Any]
) -> None:
    found: list[str] = []
    posted: set[tuple[str | None, str]] = set()
    for (look, person), theirs in groupby(visits(), key=lambda each: each[:2]):
        page = visit(person, look)
        for _look, _person, place in theirs:
            if person == place.person:
                arrive(page, place, furnished, look)
            else:  # a page that leads who is logged in elsewhere has no forms for them
                page.goto(place.address(furnished))
            told = posted_here(page, person, posted)
            found += [f"{place.name} for {person} in {look.language}: {line}" for line in told]
    assert not found, "\n".join(found)
    assert len(posted) > 100, len(posted)


@pytest.mark.parametrize("name", [None, "hilde"])
def test_forms_of_a_few_pages(player: Callable[..., Any], name: str | None) -> None:
    if name:
        User.objects.create_user(name)
    page = player(name)
    found: list[str] = []
    posted: set[tuple[str | None, str]] = set()
    for path in SAMPLE:
        page.goto(path)
        found += [f"{path}: {line}" for line in posted_here(page, name, posted)]
    assert not found, "\n".join(found)


def posted_here(
    page: Any, person: str | None, posted: set[tuple[str | None, str]]
) -> Iterable[str]:
    """The faults of the forms of this page that this person has not posted before."""
    new = []
    for form in forms_of(page):
        key = (person, key_of(form))
        if key not in posted:
            posted.add(key)
            new.append(form)
    html = page.request.get(page.url).text() if new else ""
    return [f"{key_of(form)}: {line}" for form in new for line in faults_of(page, form, html)]
