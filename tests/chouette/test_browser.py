"""Four people play a chouette of three games for credits, on two desktops and two phones."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from games.chouette.models import Circle, Game, Roll, Share
from games.chouette.services.store import state_of
from games.chouette.view import chouette_view
from ledger import audit
from ledger.selectors import account_balance, wallet_balance
from tests.desk.test_browser import DESKTOP, PHONE
from tests.e2e.hands import Hands

pytestmark = pytest.mark.django_db(transaction=True)

MOVES_MAX = 6
#: the rearmost checker that can move once the draft has changed, or that the play is complete.
NEXT_STEP = """before => {
  if (document.body.dataset.free !== "true") return null;
  if (!document.querySelector('[data-action="send"]').disabled) return {note: "", place: "send"};
  const note = document.getElementById("actions-note").textContent;
  if (note === before) return null;
  const places = [...document.querySelectorAll(".bg-liftable")].map((each) => each.dataset.point);
  const far = (name) => (name === "bar" ? 25 : Number(name));
  return places.length ? {note, place: places.reduce((a, b) => (far(a) > far(b) ? a : b))} : null;
}"""


class Seat(Hands):
    """One person's page at a chouette."""

    def sees(self, seq: int) -> None:
        """Wait until the page shows event `seq`."""
        self.page.wait_for_function("seq => Number(document.body.dataset.seq) >= seq", arg=seq)

    def choose(self, *names: str) -> None:
        """Press these answers of the question, one after the other."""
        for name in names:
            self.press(self.page.locator(f'#ask [data-choice="{name}"]:visible:not([disabled])'))

    def surely(self, name: str) -> None:
        """Press an answer that the page asks again about on phones."""
        self.choose(name)
        if self.taps:
            self.press(self.page.locator(f'#ask .asked[data-choice="{name}"]'))

    def open_panel(self) -> None:
        """Open the side, which is a sheet on phones."""
        panel = self.page.locator('[data-action="panel"][aria-expanded="false"]:visible')
        if panel.count():
            self.press(panel)

    def play(self) -> None:
        """Make a play, the rearmost checker first, and send it."""
        note = "nothing seen so far"
        for _ in range(MOVES_MAX):
            seen = self.page.wait_for_function(NEXT_STEP, arg=note).json_value()
            if seen["place"] == "send":
                break
            note = seen["note"]
            self.press(self.page.locator(f'.bg-liftable[data-point="{seen["place"]}"]'))
        self.press(self.action("send"))


class Room:
    """A table with the pages of everybody."""

    def __init__(self, player: Any, users: list[Any]) -> None:
        self.users = {user.pk: user for user in users}
        self.seats: dict[int, Seat] = {}
        for number, user in enumerate(users):
            screen = PHONE if number % 2 else DESKTOP
            page = player(user.username, locale="en-GB", **screen)
            self.seats[user.pk] = Seat(page, taps=bool(number % 2))
        self._open(users[0].pk)
        for user in users[1:]:
            self._sit(user.pk)

    def _open(self, opener: int) -> None:
        seat = self.seats[opener]
        seat.page.goto("/chouette/")
        seat.page.get_by_label("Credits a point").select_option("10")
        seat.page.get_by_label("Limit of a game").select_option("4")
        seat.press(seat.page.locator("#open-form button.button-primary"))
        seat.page.wait_for_url("**/chouette/*-*/")
        self.circle = Circle.objects.get()

    def _sit(self, player: int) -> None:
        seat = self.seats[player]
        seat.page.goto(f"/chouette/{self.circle.pk}/")
        seat.choose("sit")
        seat.press(seat.page.locator('[data-action="sit_confirm"]'))
        expect(seat.page.locator("#sit-dialog")).to_be_hidden()

    def view(self) -> dict[str, Any]:
        self.circle.refresh_from_db()
        return chouette_view(self.circle, None)

    def view_people(self) -> list[int]:
        return [person["id"] for person in self.view()["people"]]

    def all_see(self) -> None:
        seq = self.view()["seq"]
        for seat in self.seats.values():
            seat.sees(seq)

    @contextmanager
    def something_happens(self) -> Iterator[None]:
        """Wait until what is pressed in this block has led to an event."""
        self.all_see()
        before = self.view()["seq"]
        yield
        page = next(iter(self.seats.values())).page
        while self.view()["seq"] == before:
            page.wait_for_timeout(50)

    def waited_for(self) -> list[int]:
        """Wait until somebody has to decide, or the game is over; the pages wake the table."""
        any_page = next(iter(self.seats.values())).page
        while True:
            view = self.view()
            if view["waits_for"] or view["phase"] == "between_games":
                return list(view["waits_for"])
            any_page.wait_for_timeout(100)

    def start(self, number: int) -> None:
        """Somebody starts the next game at once."""
        self.all_see()
        first = next(iter(self.seats[player] for player in self.view_people()))
        first.choose("start")
        while self.view()["game"] < number:
            first.page.wait_for_timeout(100)
        self.waited_for()

    def play_on_to(self, phase: str) -> None:
        """Play without doubles until this phase."""
        while self.view()["phase"] != phase:
            for player in self.waited_for():
                seat, now = self.seats[player], self.view()["phase"]
                if now == phase:
                    return
                with self.something_happens():
                    if now == "play":
                        seat.play()
                    else:
                        seat.choose("no_double")
            self.waited_for()


@pytest.mark.slow
def test_four_play_three_games_for_credits(player, people):
    users = people(4, 1_000)
    room = Room(player, users)
    first_game_is_dropped_by_the_box(room)
    second_game_is_dropped_by_the_team(room)
    third_game_is_left_by_the_box(room)
    everybody_sees_the_points(room)
    assert account_balance("house_rake") == sum(Game.objects.values_list("rake_cents", flat=True))
    assert {roll.flags for roll in Roll.objects.all()} == {0}, "both pages gave their parts"
    assert audit.run().finding_count == 0
    assert [seat.page.problems for seat in room.seats.values()] == [[]] * 4


def first_game_is_dropped_by_the_box(room: Room) -> None:
    """All three double, unseen by each other; the box drops three cubes at once."""
    room.start(1)
    room.play_on_to("team_decides")
    members = room.waited_for()
    assert len(members) == 3
    for member in members:
        with room.something_happens():
            room.seats[member].surely("double")
    box = room.view()["waits_for"][0]
    with room.something_happens():
        for member in members:
            cube = room.seats[box].page.locator(f'input[name="cube-{member}"][value="drop"]')
            room.seats[box].press(cube.locator("xpath=.."))
        room.seats[box].choose("send")
    room.all_see()
    shares = Share.objects.filter(game__number=1).exclude(user=box)
    assert {share.box_points for share in shares} == {-1}
    assert wallet_balance(box) == 1_000 - 3 * 10
    assert {wallet_balance(member) for member in members} == {1_000 + 9}


def second_game_is_dropped_by_the_team(room: Room) -> None:
    """The captain has become box, doubles all, and all drop."""
    room.start(2)
    room.play_on_to("box_doubles")
    box = room.waited_for()[0]
    while not room.view()["cubes"] or not _may_double(room, box):
        with room.something_happens():
            room.seats[box].choose("no_double")
        room.play_on_to("box_doubles")
    members = [cube["player"] for cube in room.view()["cubes"]]
    with room.something_happens():
        for member in members:
            cube = room.seats[box].page.locator(f'input[name="cube-{member}"]')
            room.seats[box].press(cube.locator("xpath=.."))
        room.seats[box].surely("double")
    for member in members:
        assert room.waited_for() == [member], "one after the other, the captain first"
        with room.something_happens():
            room.seats[member].surely("drop")
    shares = Share.objects.filter(game__number=2).exclude(user=box)
    assert {share.box_points for share in shares} == {1}


def _may_double(room: Room, box: int) -> bool:
    return bool(chouette_view(room.circle, box)["actions"].get("box_doubles"))


def third_game_is_left_by_the_box(room: Room) -> None:
    """The box leaves in the middle of the game and loses to every member."""
    room.start(3)
    room.play_on_to("team_decides")
    game = Game.objects.get(number=3)
    seat = room.seats[game.box_id]
    with room.something_happens():
        seat.open_panel()
        seat.do("stand_up")
        expect(seat.page.locator("#stand-dialog")).to_contain_text("3")
        seat.do("stand_confirm")
    game.refresh_from_db()
    assert game.ended_at is not None
    assert game.box_id not in state_of(Circle.objects.get()).people


def everybody_sees_the_points(room: Room) -> None:
    room.all_see()
    view = room.view()
    assert sum(view["points"]["totals"].values()) == 0
    for player in room.users:
        won = sum(
            share.paid_cents - share.stake_cents for share in Share.objects.filter(user=player)
        )
        assert wallet_balance(player) == 1_000 + won == 1_000 + view["ledger"][str(player)]
        seat = room.seats[player]
        seat.open_panel()
        total = view["points"]["totals"][str(player)]
        shown = f"{total:+d}".replace("-", "−") if total else "0"
        if player in [person["id"] for person in view["people"]]:
            expect(seat.page.locator("#points-table")).to_contain_text(shown)
