"""The simulator finds faults that are planted in the machine."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from backgammon.rules.cube import points_for_dropping
from games.table import commands as cmd
from games.table import events as ev
from games.table import evolve as evolving
from games.table import forfeit, gameplay, machine, stakes
from games.table.errors import WrongPhase
from games.table.state import Clock, seated
from harness.simulator import at_stake, driver
from harness.simulator import house as simulated
from harness.simulator.driver import simulate

#: how many tables are played before the simulator has missed the fault.
TABLES = 600

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> Iterator[None]:
    """No test uses what another one has calculated, with its fault, and stored in a cache."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    for name, module in sys.modules.items():
        if name.startswith(("games.table.", "games.modes.")):
            for each in vars(module).values():
                clear = getattr(each, "cache_clear", None)
                if clear is not None:
                    clear()


def found_by_table(tables: int = TABLES) -> str | None:
    """The simulator's error about the first table that breaks a promise, or None."""
    for number in range(tables):
        try:
            simulate(77, number)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
    return None


def dropping_costs_the_new_cube(patch: pytest.MonkeyPatch) -> None:
    def wrong(cube: Any, *, turns: int = 1) -> int:
        return 8 * points_for_dropping(cube, turns=turns)

    patch.setattr(gameplay, "points_for_dropping", wrong)


def a_new_turn_gives_reserve(patch: pytest.MonkeyPatch) -> None:
    started = Clock.started

    def wrong(self: Clock, seat: int, now_ms: int, **kwargs: Any) -> Clock:
        clock = started(self, seat, now_ms, **kwargs)
        one, two = clock.reserve_ms
        return msgspec.structs.replace(clock, reserve_ms=(one + 1, two))

    patch.setattr(Clock, "started", wrong)


def the_waiting_player_is_charged(patch: pytest.MonkeyPatch) -> None:
    stopped = Clock.stopped

    def wrong(self: Clock, now_ms: int) -> Clock:
        clock = stopped(self, now_ms)
        one, two = clock.reserve_ms
        return msgspec.structs.replace(clock, reserve_ms=(one, max(0, two - 1)))

    patch.setattr(Clock, "stopped", wrong)


def leaving_costs_one_level_less(patch: pytest.MonkeyPatch) -> None:
    right = forfeit.leave_level
    patch.setattr(forfeit, "leave_level", lambda *a, **k: max(1, right(*a, **k) - 1))


def every_board_counts_single(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(gameplay, "counted_level", lambda level, **_: min(level, 1))


def both_leaves_count(patch: pytest.MonkeyPatch) -> None:
    right = machine._leave

    def wrong(state: Any, now_ms: int, seat: int) -> Any:
        if state.phase == "over":
            return (ev.PlayerLeft(at_ms=now_ms, seat=seat),)
        return right(state, now_ms, seat)

    patch.setattr(machine, "_leave", wrong)


def the_second_to_leave_loses(patch: pytest.MonkeyPatch) -> None:
    right = machine._leave
    patch.setattr(machine, "_leave", lambda state, now_ms, seat: right(state, now_ms, 1 - seat))


def a_turn_is_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    phases = {"roll": ("roll", "roll_off"), "play": ("play",), "name_double": ("name_double",)}

    def wrong(state: Any, seat: int, command: str) -> None:
        if state.phase not in phases[command]:
            raise WrongPhase("not now")

    patch.setattr(gameplay, "permit", wrong)


def time_never_runs_out(patch: pytest.MonkeyPatch) -> None:
    right = machine.due_ms

    def wrong(state: Any) -> int | None:
        return None if state.phase == "play" else right(state)

    for module in (machine, simulated, driver):
        patch.setattr(module, "due_ms", wrong)


def a_paid_match_pays_again(patch: pytest.MonkeyPatch) -> None:
    right = simulated.payout

    def wrong(purse: Any, result: Any) -> Any:
        paid = right(purse, result)
        one, two = paid.paid_cents
        more = (one + paid.rake_cents, two - paid.rake_cents)
        return paid if not paid.rake_cents else type(paid)(more, paid.rake_cents, 1)

    patch.setattr(simulated, "payout", wrong)


def a_strange_level_is_taken(patch: pytest.MonkeyPatch) -> None:
    right = machine._decide_seated

    def wrong(state: Any, command: cmd.Command, now_ms: int, seat: int) -> Any:
        if isinstance(command, cmd.NameDouble):
            return gameplay._rolled(state, seat, (command.number,) * 2, False, now_ms)
        return right(state, command, now_ms, seated(seat))

    patch.setattr(machine, "_decide_seated", wrong)


def folding_forgets_a_refusal(patch: pytest.MonkeyPatch) -> None:
    """The decision sees one state, a replay of the events another."""
    handlers, count = evolving._handle.handlers, iter(range(10**9))
    right = handlers[ev.ResignationRefused]

    def wrong(state: Any, event: Any) -> Any:
        after = right(state, event)
        if next(count) % 2 == 0:
            return after
        game = msgspec.structs.replace(after.match.game, refused_level=0)
        return msgspec.structs.replace(after, match=msgspec.structs.replace(after.match, game=game))

    patch.setitem(handlers, ev.ResignationRefused, wrong)


def the_panel_forgets_jacoby(patch: pytest.MonkeyPatch) -> None:
    _uncached(patch)
    patch.setattr(stakes, "counted_level", lambda level, **_: level)


def the_panel_forgets_the_rake(patch: pytest.MonkeyPatch) -> None:
    _uncached(patch)
    right = stakes.payout
    patch.setattr(stakes, "payout", lambda purse, result: right(replace(purse, rake_bps=0), result))


def a_drop_is_shown_at_the_new_cube(patch: pytest.MonkeyPatch) -> None:
    _uncached(patch)
    patch.setattr(stakes, "points_for_dropping", lambda cube, *, turns: cube.value << turns)


def the_join_page_shows_one_point_as_the_most(patch: pytest.MonkeyPatch) -> None:
    _uncached(patch)
    patch.setattr(stakes, "_highest_cube", lambda at: 1)
    patch.setattr(stakes, "_highest_level", lambda at: 1)


def _uncached(patch: pytest.MonkeyPatch) -> None:
    """Calculate every stake anew, and forget it afterwards."""
    patch.setattr(stakes, "_stakes", stakes._stakes.__wrapped__)
    patch.setattr(at_stake, "stakes_ahead", stakes.stakes_ahead.__wrapped__)


@pytest.mark.slow
@pytest.mark.parametrize(
    "plant",
    [
        dropping_costs_the_new_cube,
        a_new_turn_gives_reserve,
        the_waiting_player_is_charged,
        leaving_costs_one_level_less,
        every_board_counts_single,
        both_leaves_count,
        the_second_to_leave_loses,
        a_turn_is_not_looked_at,
        time_never_runs_out,
        a_paid_match_pays_again,
        a_strange_level_is_taken,
        folding_forgets_a_refusal,
        the_panel_forgets_jacoby,
        the_panel_forgets_the_rake,
        a_drop_is_shown_at_the_new_cube,
        the_join_page_shows_one_point_as_the_most,
    ],
)
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    assert found_by_table() is not None


@pytest.mark.slow
def test_without_a_fault_nothing_is_found() -> None:
    """Here at these tables; at three hundred others in test_simulator."""
    assert found_by_table(40) is None
