"""A table with one cube for the team on its page: captain on a phone, box on a desktop."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.chouette import commands as cmd
from games.chouette.models import Circle
from harness.chouettes import Hands, at_random
from tests.chouette.test_browser import Seat
from tests.chouette.test_one_cube import to_the_captains_cube
from tests.desk.test_browser import DESKTOP, PHONE

pytestmark = pytest.mark.django_db(transaction=True)

CUT_NAMES = """() => [...document.querySelectorAll('.strip [data-slot="name"]')]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"""


def opened_by_form(page: Page) -> Circle:
    """A table with one cube for the team; the form then offers no beavers."""
    page.goto("/chouette/")
    expect(page.get_by_label("Beavers")).to_be_visible()
    page.get_by_label("Cubes").select_option("one")
    expect(page.get_by_label("Beavers")).to_be_hidden()
    page.locator("#open-form button.button-primary").click()
    page.wait_for_url("**/chouette/*-*/")
    return Circle.objects.get()


@pytest.mark.slow
def test_captain_and_box_see_one_cube_and_the_buttons_for_it(player: Any, people: Any) -> None:
    users = {user.pk: user for user in people(3)}
    opener = next(iter(users))
    hands = Hands.__new__(Hands)
    desktop = player(users[opener].username, locale="en-GB", **DESKTOP)
    hands.sit_at(opened_by_form(desktop), list(users.values()))
    hands.begin()
    captain = to_the_captains_cube(hands)
    box = hands.view()["people"][0]["id"]

    def seat(person: int, *, taps: bool) -> Seat:
        page = player(users[person].username, locale="en-GB", **(PHONE if taps else DESKTOP))
        page.goto(f"/chouette/{hands.circle.pk}/")
        return Seat(page, taps=taps)

    small, wide = seat(captain, taps=True), seat(box, taps=False)
    expect(small.page.locator("#ask-text")).to_contain_text("You decide for the whole team.")
    expect(wide.page.locator("#cubes-title")).to_contain_text("One cube")
    expect(wide.page.locator("#cubes-title")).to_contain_text("the captain decides")
    small.page.set_viewport_size({"width": 844, "height": 390})
    assert small.page.evaluate(CUT_NAMES) == []
    small.page.set_viewport_size(PHONE["viewport"])
    small.surely("double")
    expect(wide.page.locator("#ask-title")).to_contain_text("doubles for the team: to 2")
    expect(wide.page.locator("#cubes input")).to_have_count(0)
    wide.choose("take")
    for page in (small.page, wide.page):
        expect(page.locator(".small-cube:visible")).to_have_text("2")
        expect(page.locator(".cube-team .cube-slots")).to_have_accessible_name(
            "Cube of the team: cube 2, the box has it"
        )
    the_box_doubles_all(hands, small, wide, captain)
    assert [seat.page.problems for seat in (small, wide)] == [[]] * 2


def the_box_doubles_all(hands: Hands, small: Seat, wide: Seat, captain: int) -> None:
    """The captain drops on the page and is out; the other member plays on with the cube at 4."""
    hands.dice_come()
    while hands.view()["phase"] != "box_doubles":
        hands.step(at_random(random.Random(5), doubles=0))
    expect(wide.page.locator("#ask-title")).to_have_text("Do you double the team to 4?")
    wide.surely("double")
    small.surely("drop")
    expect(small.page.locator(".cube-row.mine .cube-state")).to_contain_text("dropped −2")
    view = hands.view()
    (member,) = view["waits_for"]
    assert member != captain
    hands.do(member, cmd.AnswerDouble(turn=view["turn"], answer="take"))
    for page in (small.page, wide.page):
        expect(page.locator(".small-cube:visible")).to_have_text("4")
