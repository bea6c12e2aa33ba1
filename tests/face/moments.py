"""Every state of the table: its name, how to reach it, and what the player did on the page.

The tables are those of tests/board, behind a page without a database; hilde has seat 0.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from backgammon.rules.position import Position
from games.table import commands as cmd
from games.table.state import ABSENCE_MS
from tests.board.house import BoardHouse
from tests.board.tables import (
    between_games,
    by_the_point,
    doubled,
    forfeited,
    free_stakes,
    may_double,
    opened,
    resignation_offered,
    seated,
    stood_up,
    to_play,
)

MIDDLE_PLAYS: Final = 9
CROWDED: Final = (
    "5 5 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 -2 -3 -4 -6 | bar 0 0 | off 2 0 | hand 0 0"
)
SHUT_OUT: Final = (
    "2 2 2 2 2 0 0 3 0 0 0 0 0 0 0 0 0 0 -2 -2 -3 -3 -2 -3 | bar 1 0 | off 1 0 | hand 0 0"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """One state of the table. `then` is what the player does on the page."""

    name: str
    table: Callable[[], BoardHouse]
    clicks: tuple[str, ...] = ()
    presses: tuple[str, ...] = ()
    then: Callable[[BoardHouse, Any], None] | None = None

    def reach(self, house: BoardHouse, page: Any) -> None:
        """Bring the page from the table's state to the moment."""
        for name in self.clicks:
            panel = page.locator('[data-action="panel"]:visible')
            wanted = page.locator(f'[data-action="{name}"]').first
            if panel.count() and not wanted.is_visible():
                panel.click()
            wanted.click()
        for point in self.presses:
            page.locator(f'[data-point="{point}"]').click()
        if self.then:
            self.then(house, page)


# --- tables ---------------------------------------------------------------------------------------
def placed(position: str, dice: tuple[int, ...], seat: int | None = 0, **wishes: Any) -> BoardHouse:
    """hilde has rolled these dice where the checkers stand like this."""
    house = may_double(seat=seat, **wishes)
    game = house.state.game
    assert game is not None
    told = {"position": Position.parse(position), "on_roll": 0}
    game = msgspec.structs.replace(game, **told)
    match = house.state.match
    assert match is not None
    house.state = msgspec.structs.replace(
        house.state, match=msgspec.structs.replace(match, game=game)
    )
    house.dice = [dice]
    return house


def gone(house: BoardHouse, seat: int = 1) -> BoardHouse:
    """The last connection of that player ends."""
    house.do(cmd.NotePresence(present=False), seat)
    return house


def gone_for_long() -> BoardHouse:
    house = gone(may_double(seat=0))
    house.ahead_ms += ABSENCE_MS
    return house


def beavered() -> BoardHouse:
    """hilde has answered Marlene_K's double with a beaver; Marlene_K must answer."""
    house = free_stakes(seat=1)
    house.do(cmd.Beaver(), 0)
    return house


def crawford() -> BoardHouse:
    """Marlene_K needs one point more: hilde has given up a gammon twice, and may not double."""
    house = to_play((3, 1))
    for _ in range(2):
        while house.state.decider != 0:
            assert house.state.decider is not None
            house.play_any(1) if house.state.phase == "play" else house.roll(1)
        house.do(cmd.OfferResignation(level=2), 0)
        house.do(cmd.AcceptResignation(), 1)
        for seat in (0, 1):
            house.do(cmd.Ready(), seat)
    return house


def halfway(variant: str, seat: int | None = 0) -> BoardHouse:
    """A game of this variant after a few random plays."""
    chance = random.Random(variant)
    house = seated(seat, dice=(), mode="normal", variant=variant)
    number = 3 if variant == "tabula" else 2
    house.dice = [tuple(chance.randint(1, 6) for _ in range(number)) for _ in range(80)]
    plays = 0
    while plays < MIDDLE_PLAYS or house.state.phase != "play" or house.state.decider != 0:
        decider = house.state.decider
        assert decider is not None
        if house.state.phase == "play":
            house.play_any(decider)
            plays += 1
        elif house.state.phase == "name_double":
            house.do(cmd.NameDouble(number=4), decider)
        else:
            house.roll(decider)
    return house


def capped(seat: int) -> BoardHouse:
    """Marlene_K has resigned a backgammon: 6 points at 2 credits, capped at 10."""
    house = doubled(seat, mode="single", rate_cents=200, limit_cents=1000)
    house.do(cmd.Take(), 0)
    house.do(cmd.OfferResignation(level=3), 1)
    told = {"elo_before": ("1743.0000", "1812.0000"), "elo_after": ("1755.2574", "1799.7426")}
    house.do(cmd.Settle(paid_cents=(1900, 0), rake_cents=100, **told))
    return house


def voided() -> BoardHouse:
    """Administrators have made the match count for nothing."""
    house = may_double(seat=0)
    house.do(cmd.Void())
    return house


def series() -> BoardHouse:
    """The second game of a Tavli, Plakoto: hilde has given up the first one."""
    house = seated(dice=((4, 2), (3, 1)), mode="tavli", target_points=5)
    while house.state.phase != "play":
        house.roll(0)
    house.play_any(0)
    while house.state.decider != 0:
        house.roll(1) if house.state.phase == "roll" else house.play_any(1)
    house.do(cmd.OfferResignation(level=2), 0)
    if house.state.phase == "resignation_offered":
        house.do(cmd.AcceptResignation(), 1)
    for seat in (0, 1):
        house.do(cmd.Ready(), seat)
    return house


def rolled_off() -> BoardHouse:
    """Both have rolled one die; hilde starts with the two numbers."""
    house = seated(dice=((4, 2),), mode="normal", start_rule="roll_off_use")
    house.roll(0)
    return house


def raccooned() -> BoardHouse:
    """Marlene_K has answered a beaver with a raccoon; hilde must answer."""
    house = beavered()
    house.do(cmd.Raccoon(), 1)
    return house


def of_a_session() -> BoardHouse:
    """hilde has lost a game of a session; either may stop now."""
    house = doubled(0, mode="session", stake_cents=50, start_rule="opener_alternates")
    house.do(cmd.Drop(), 0)
    return house


def after_an_outage(house: BoardHouse, page: Any) -> None:
    now_ms = house.now_ms()
    house.do(cmd.CreditOutage(began_ms=now_ms, ended_ms=now_ms + 90_000))
    page.locator("#toasts .toast").first.wait_for()


def named_double() -> BoardHouse:
    house = seated(dice=((2, 1),), mode="normal", variant="acey_deucey", has_cube=False)
    house.roll(0)
    house.play_any(0)
    return house


def turn_later() -> BoardHouse:
    """Both have made a play in practice; hilde may take hers back."""
    house = practised()
    house.play_any(0)
    house.roll(1)
    house.play_any(1)
    return house


def practised() -> BoardHouse:
    return to_play(mode="practice")


def of_seat(
    table: Callable[..., BoardHouse], seat: int | None, **wishes: Any
) -> Callable[[], BoardHouse]:
    """This table from the side of this seat."""

    def make() -> BoardHouse:
        house = table(**wishes)
        house.seat = seat
        return house

    return make


# --- what happens on the page -------------------------------------------------------------------
def lose_the_connection(house: BoardHouse, page: Any) -> None:
    house.refuse = True
    house.hang_up()
    page.locator("#veil").wait_for()


def wait_for_absence(house: BoardHouse, page: Any) -> None:
    page.locator("#absence").wait_for()


def claim(house: BoardHouse, page: Any) -> None:
    page.locator("#absence").wait_for()
    page.locator('[data-action="claim"]').click()


def cannot_move(house: BoardHouse, page: Any) -> None:
    house.roll(0)
    page.locator("#toasts").get_by_text("Kein").or_(
        page.locator("#toasts").get_by_text("No legal")
    ).first.wait_for()


def open_the_panel(house: BoardHouse, page: Any) -> None:
    _click_if_there(page, "panel")


def close_the_panel(house: BoardHouse, page: Any) -> None:
    _click_if_there(page, "panel_close")


def _click_if_there(page: Any, name: str) -> None:
    """The panel and its buttons exist only on a phone."""
    button = page.locator(f'[data-action="{name}"]:visible')
    if button.count():
        button.click()


def rolled(house: BoardHouse, page: Any) -> None:
    house.roll(0)
    page.wait_for_selector("body[data-phase=play][data-free=true]")


def rematch_wanted(house: BoardHouse, page: Any) -> None:
    house.do(cmd.GiveRematch(match="m2"), 0)
    page.locator("#rematch-text").get_by_text("hilde").wait_for()


MOMENTS: Final = (
    Moment("waiting", opened),
    Moment("first-roll", seated),
    Moment("my-roll", of_seat(may_double, 1)),
    Moment("my-move", to_play),
    Moment("partial", to_play, presses=("8",)),
    Moment("complete", to_play, presses=("8", "6")),
    Moment("his-move", of_seat(to_play, 1)),
    Moment("his-roll", of_seat(may_double, 0)),
    Moment("double-offered", doubled),
    Moment("i-doubled", of_seat(doubled, 1)),
    Moment("double-by-the-point", by_the_point),
    Moment("beaver-possible", free_stakes),
    Moment("beaver", beavered),
    Moment("resignation-offered", resignation_offered),
    Moment("resigning", of_seat(may_double, 1), clicks=("resign",)),
    Moment("leaving", to_play, clicks=("leave",)),
    Moment("leaving-for-good", to_play, clicks=("leave", "leave_continue")),
    Moment("settings", to_play, clicks=("settings",)),
    Moment("panel", to_play, then=open_the_panel),
    Moment("in-words", to_play, clicks=("text_view",), then=close_the_panel),
    Moment("double-in-words", doubled, clicks=("text_view",), then=close_the_panel),
    Moment("away", lambda: gone(may_double(seat=0)), then=wait_for_absence),
    Moment("may-claim", gone_for_long, then=wait_for_absence),
    Moment("claiming", gone_for_long, then=claim),
    Moment("game-over", between_games),
    Moment("crawford", crawford),
    Moment("won", forfeited),
    Moment("lost", of_seat(forfeited, 0)),
    Moment("rematch", forfeited, then=rematch_wanted),
    Moment("stood-up", stood_up),
    Moment("watched", of_seat(to_play, None)),
    Moment("watched-double", of_seat(doubled, None)),
    Moment("connection-lost", to_play, then=lose_the_connection),
    Moment("practice", practised),
    Moment("take-back", turn_later),
    Moment("won-capped", lambda: capped(0)),
    Moment("lost-capped", lambda: capped(1)),
    Moment("voided", voided),
    Moment("series", series),
    Moment("rolled-off", rolled_off),
    Moment("raccoon", raccooned),
    Moment("session-between-games", of_a_session),
    Moment("outage-over", lambda: may_double(seat=0), then=after_an_outage),
    Moment("no-move", lambda: placed(SHUT_OUT, (6, 6)), then=cannot_move),
    Moment("bearing-off", lambda: placed(CROWDED, (6, 4)), then=rolled),
    Moment("name-the-double", named_double),
    Moment("plakoto", lambda: halfway("plakoto")),
    Moment("fevga", lambda: halfway("fevga")),
    Moment("long-nardi", lambda: halfway("long_nardi")),
    Moment("tabula", lambda: halfway("tabula")),
    Moment("acey-deucey", lambda: halfway("acey_deucey")),
    Moment("russian", lambda: halfway("russian")),
    Moment("hypergammon", lambda: halfway("hypergammon")),
    Moment("tapa", lambda: halfway("tapa")),
)
