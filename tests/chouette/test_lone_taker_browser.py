"""Rules of the cube on pages of several people: the lone taker, and one cube for the team."""

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


BUTTONS = "#ask-choices button:visible"
#: so much more time for each decision; how long people have is no matter of this test
SPARE_MS = 600_000


def opened_by_form(page: Page) -> Circle:
    """A table with the rule; without beavers the form does not offer it."""
    page.goto("/chouette/")
    rule = page.get_by_label("If only one team member takes")
    page.get_by_label("Beavers").uncheck()
    expect(rule).to_be_hidden()
    page.get_by_label("Beavers").check()
    rule.select_option("beavers")
    page.locator("#open-form button.button-primary").click()
    page.wait_for_url("**/chouette/*-*/")
    return Circle.objects.get()


class Four(Hands):
    """Four people at a table with the rule, each on a page of their own."""

    def __init__(self, player: Any, people: Any) -> None:
        users = people(4)
        self.pages = [
            player(user.username, locale="en-GB", **(PHONE if number % 2 else DESKTOP))
            for number, user in enumerate(users)
        ]
        self.sit_at(opened_by_form(self.pages[0]), users)
        self.seats = {
            user.pk: Seat(page, taps=bool(number % 2))
            for number, (user, page) in enumerate(zip(users, self.pages, strict=True))
        }

    def box_doubles(self) -> tuple[Seat, list[int]]:
        """A game comes, seen by nobody, to where the box may double all; it does so on its page.

        The dice come without the parts of the pages, which would come too late.
        """
        for page in self.pages:
            page.goto("about:blank")
        self.begin()
        box, choose = self.view()["people"][0]["id"], at_random(random.Random(5), doubles=0)
        while not self.view(box)["actions"].get("box_doubles"):
            self.step(choose)
        self.later(-SPARE_MS)
        team = [each["player"] for each in self.view(box)["actions"]["box_doubles"]]
        assert len(team) == 3
        for page in self.pages:
            page.goto(f"/chouette/{self.circle.pk}/")
        seat = self.seats[box]
        for member in team:
            choice = seat.page.locator(f'input[name="cube-{member}"]')
            seat.press(choice.locator("xpath=.."))
        seat.surely("double")
        return seat, team

    def asked(self, member: int) -> Seat:
        """The page of the member who is asked now."""
        seat = self.seats[member]
        expect(seat.page.locator("#ask-title")).to_contain_text("doubles to 2")
        self.later(-SPARE_MS)
        return seat

    def everybody_sees(self, totals: dict[int, int]) -> None:
        """The points of everybody, on every page, and that they are what the house stores."""
        stored = self.view()["points"]["totals"]
        assert {int(each): won for each, won in stored.items()} == totals
        names = {each["id"]: each["name"] for each in self.view()["people"]}
        for reader, seat in self.seats.items():
            seat.open_panel()
            for person, won in totals.items():
                name = "you" if person == reader else names[person]
                row = seat.page.locator("#points-table tbody tr").filter(
                    has=seat.page.get_by_role("rowheader", name=name, exact=True)
                )
                figure = f"{won:+d}".replace("-", "−") if won else "0"
                expect(row.locator(".total")).to_have_text(figure)


@pytest.mark.slow
def test_a_lone_taker_beavers_or_drops_and_the_points_are_right(player: Any, people: Any) -> None:
    four = Four(player, people)
    totals = the_first_who_takes_is_asked_again_and_beavers(four)
    the_last_of_all_cannot_take_and_drops(four, totals)
    assert [page.problems for page in four.pages] == [[]] * 4


def the_first_who_takes_is_asked_again_and_beavers(four: Four) -> dict[int, int]:
    """The box gives the beaver up at 2; everybody's points."""
    box, (captain, *others) = four.box_doubles()
    first = four.asked(captain)
    expect(first.page.locator("#ask-text")).to_contain_text(
        "If all others drop, you beaver or drop."
    )
    expect(first.page.locator(BUTTONS)).to_have_text(["Drop", "Beaver to 4", "Take"])
    first.choose("take")
    for member in others:
        four.asked(member).surely("drop")
    expect(first.page.locator("#ask-text")).to_contain_text("All others are out. Beaver: you play")
    expect(first.page.locator(BUTTONS)).to_have_text(["Drop", "Beaver to 4"])
    four.later(-SPARE_MS)
    first.choose("beaver")
    expect(box.page.locator("#ask-title")).to_contain_text("answers with a beaver")
    four.later(-SPARE_MS)
    give_up = box.page.locator(f'input[name="cube-{captain}"][value="give_up"]')
    box.press(give_up.locator("xpath=.."))
    box.choose("send")
    expect(first.page.locator("#ask-title")).to_contain_text("Game 1 is over")
    expect(first.page.locator(".cube-row.mine .cube-state")).to_have_text("box dropped +2")
    (loser,) = (each for each, seat in four.seats.items() if seat is box)
    totals = {loser: 0, captain: 2, **dict.fromkeys(others, -1)}
    four.everybody_sees(totals)
    return totals


def the_last_of_all_cannot_take_and_drops(four: Four, totals: dict[int, int]) -> None:
    """The captain of before is the box and wins a point from each."""
    box, team = four.box_doubles()
    for member in team[:-1]:
        four.asked(member).surely("drop")
    last = four.asked(team[-1])
    expect(last.page.locator("#ask-text")).to_contain_text("All others are out.")
    expect(last.page.locator(BUTTONS)).to_have_text(["Drop", "Beaver to 4"])
    last.surely("drop")
    expect(box.page.locator("#ask-title")).to_contain_text("Game 2 is over")
    (winner,) = (each for each, seat in four.seats.items() if seat is box)
    four.everybody_sees({each: won + (3 if each == winner else -1) for each, won in totals.items()})


# --- one cube for the team ------------------------------------------------------------------------
CUT_NAMES = """() => [...document.querySelectorAll('.strip [data-slot="name"]')]
  .filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"""


def one_cube_opened(page: Page) -> Circle:
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
    hands.sit_at(one_cube_opened(desktop), list(users.values()))
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
