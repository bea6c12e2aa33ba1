"""Every form of every page, posted as the browser would: it leads on, or says what is wrong."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Final

import pytest

from accounts.models import User
from harness.shown_house import Furnished
from tests.face.looks import Look
from tests.face.places import ADMINISTRATOR, PLACES, PLAYER, RARE, VISITOR, Place
from tests.face.posting import faults_of, forms_of, key_of
from tests.face.test_pages import REFUSED, arrive

pytestmark = pytest.mark.django_db(transaction=True)
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
