"""The oracle is silent about a sound house, and names each difference that is planted here."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from bench.soak import oracle
from bench.soak.journal import Acknowledged, Journal
from bench.soak.rows import AdjustmentRow, MatchRow, PayoutRow, Rows, TableRow
from games.modes.prices import Prices
from games.modes.registry import ALL
from games.modes.terms import Wishes
from games.table import commands as cmd
from games.table.evolve import evolve
from games.table.machine import decide, due_ms
from games.table.setup import terms_of
from games.table.state import GRACE_MS, TableState
from games.wire import event_payload
from harness.house import Down

BEGIN_MS = 1_790_000_000_000
MATCH = "0d5c8a7e-3b52-4f0e-9f0e-6f6d0b1c2a3d"
TABLE = "6f0c"

Story = tuple[TableState, list[tuple[int, dict[str, Any]]]]


def story(
    *, outage: tuple[int, int] | None = None, credited: bool = True, late_ms: int = 0
) -> Story:
    """A table whose starter waits until their time is over; `outage` in seconds since then.

    The loss is noticed `late_ms` after it is due.
    """
    wishes = Wishes(mode="single", rate_cents=100, limit_cents=1000, clock="fast")
    terms = terms_of(wishes, Prices())
    state, events = TableState(), []

    def give(command: cmd.Command, now_ms: int, seat: int | None = None) -> None:
        nonlocal state
        for event in decide(state, command, now_ms, seat):
            state = evolve(state, event)
            events.append((state.seq, event_payload(event)))

    give(cmd.OpenTable(player=1, terms=terms), BEGIN_MS)
    give(cmd.Sit(player=2, match=MATCH), BEGIN_MS)
    give(cmd.GiveDice(dice=(3, 1), auto=True), BEGIN_MS, 0)
    if outage and credited:
        began_ms, ended_ms = (BEGIN_MS + 1000 * second for second in outage)
        give(cmd.CreditOutage(began_ms=began_ms, ended_ms=ended_ms), ended_ms)
    give(cmd.WakeUp(), (due_ms(state) or 0) + late_ms)
    assert events[-1][1]["type"] == "match_ended"
    return state, events


def downs(outage: tuple[int, int]) -> list[Down]:
    begin, end = (BEGIN_MS / 1000 + second for second in outage)
    return [Down("web0", begin - 3, end), Down("web1", begin, end + 3)]


def found(told: Story, *, outage: tuple[int, int] | None = None) -> list[str]:
    state, events = told
    row = TableRow(TABLE, "single", state.phase, state.seq, msgspec.to_builtins(state))
    outages = oracle.outages_of(downs(outage) if outage else [])
    return [violation.code for violation in oracle.replayed(row, events, outages)]


def test_a_sound_table_replays():
    assert found(story()) == []


def test_a_state_that_its_events_do_not_lead_to_is_found():
    state, events = story()
    assert found((msgspec.structs.replace(state, phase="closed"), events)) == ["I8"]


def test_a_missing_event_is_found():
    state, events = story()
    assert found((state, events[:2] + events[3:])) == ["I8"]


def test_dice_that_moved_otherwise_are_found():
    state, events = story()
    board = {"type": "play_made", "at_ms": BEGIN_MS, "seat": 0, "dice": [3, 1], "text": "24/18"}
    played = (4, {**board, "moves": [[24, 18, 6]], "forced": False, "goes_on": False})
    assert found((state, [*events[:-1], played, *events[-1:]])) == ["I8"]


def test_a_loss_in_which_an_outage_was_given_back_is_right():
    outage = (20, 40)
    assert found(story(outage=outage), outage=outage) == []


def test_a_loss_that_counts_an_outage_is_found():
    outage = (20, 40)
    assert found(story(outage=outage, credited=False), outage=outage) == ["I10"]


def test_an_outage_that_began_after_the_time_had_run_out_gives_nothing_back():
    due_s = (story()[1][-1][1]["at_ms"] - BEGIN_MS) // 1000
    told = story(late_ms=4000)
    assert found(told, outage=(due_s + 2, due_s + 20)) == []
    assert found(told, outage=(due_s - 2, due_s + 20)) == ["I10"]


def test_an_outage_after_the_loss_or_before_the_turn_is_nothing():
    lasted_s = (story()[1][-1][1]["at_ms"] - BEGIN_MS) // 1000
    for outage in [(-40, -20), (lasted_s + 10, lasted_s + 40)]:
        assert found(story(), outage=outage) == []


def test_only_all_web_servers_or_the_database_make_an_outage_and_only_long_ones():
    both = [Down("web0", 0, 20), Down("web1", 5, 30)]
    assert oracle.outages_of(both) == [(5, 20)]
    assert oracle.outages_of([Down("web0", 0, 20), Down("web1", 10, 30)]) == []
    assert oracle.outages_of([Down("web0", 0, 20), Down("web1", 20, 60)]) == []
    assert oracle.outages_of([Down("postgres", 0, 13), Down("valkey", 0, 60)]) == [(0, 13)]
    assert GRACE_MS == 60_000


# --- rows against the journal ---------------------------------------------------------------------


def house() -> tuple[Rows, Journal]:
    """A sound house and what its players received."""
    rolled = ((5, 3), 0, "aa", "bb", "cc")
    event = {"type": "game_ended", "winner": 0}
    rows = Rows(
        tables=[],
        matches=[MatchRow(MATCH, TABLE, 1, "single", 0, "left", [1090, 900], 10, "then")],
        payouts=[PayoutRow(1, 7, "paid", 90, 91)],
        events={TABLE: [(1, event)]},
        commands={(TABLE, 7, "x"): 1},
        rolls={("g", 0): rolled},
        roll_numbers={"g": [0]},
        left_over={"deadlines of tables that are overdue": 0},
    )
    journal = Journal()
    journal.accept(Acknowledged(TABLE, 7, "x", 1, "leave"))
    journal.see(TABLE, [{"seq": 1, **event}])
    journal.rolls["g", 0] = rolled
    told = {"winner": 0, "ending": "left", "paid_cents": [1090, 900], "rake_cents": 10}
    journal.end(TABLE, 1, 7, {"phase": "over", **told})
    journal.decisions.append({"payout": 1, "state": "approved"})
    return rows, journal


def test_a_sound_house_is_believed():
    rows, journal = house()
    assert oracle.everything(rows, journal, []) == []


def lost_command(rows: Rows) -> None:
    rows.commands.clear()


def other_answer(rows: Rows) -> None:
    rows.commands[TABLE, 7, "x"] = 2


def command_twice(rows: Rows) -> None:
    rows.commands_twice.append((TABLE, 7, "x"))


def lost_event(rows: Rows) -> None:
    rows.events[TABLE] = []


def other_event(rows: Rows) -> None:
    rows.events[TABLE][0][1]["winner"] = 1


def other_roll(rows: Rows) -> None:
    rows.rolls["g", 0] = ((6, 6), 0, "aa", "bb", "cc")


def roll_twice(rows: Rows) -> None:
    rows.roll_numbers["g"] = [0, 0]


def roll_missing(rows: Rows) -> None:
    rows.roll_numbers["g"] = [0, 2]


def other_winner(rows: Rows) -> None:
    rows.matches[0] = replace(rows.matches[0], winner_seat=1)


def match_without_end(rows: Rows) -> None:
    rows.matches[0] = replace(rows.matches[0], ended_at=None)


def table_still_running(rows: Rows) -> None:
    state = TableState()
    rows.tables.append(TableRow("t", "single", "play", 0, msgspec.to_builtins(state)))


def overdue(rows: Rows) -> None:
    rows.left_over["deadlines of tables that are overdue"] = 1


def one_pair_of_eyes(rows: Rows) -> None:
    rows.payouts[0] = PayoutRow(1, 7, "paid", 90, 90)


def paid_by_himself(rows: Rows) -> None:
    rows.payouts[0] = PayoutRow(1, 90, "paid", 90, 91)


def adjusted_by_one(rows: Rows) -> None:
    rows.adjustments = [AdjustmentRow(1, 7, False, 90, 90)]


def forgotten_approval(rows: Rows) -> None:
    rows.payouts[0] = PayoutRow(1, 7, "requested", None, None)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (adjusted_by_one, "I12"),
        (lost_command, "I5"),
        (other_answer, "I5"),
        (command_twice, "I5"),
        (lost_event, "I5"),
        (other_event, "I5"),
        (other_roll, "I7"),
        (roll_twice, "I7"),
        (roll_missing, "I7"),
        (other_winner, "I9"),
        (match_without_end, "I9"),
        (table_still_running, "I9"),
        (overdue, "I11"),
        (one_pair_of_eyes, "I12"),
        (paid_by_himself, "I12"),
        (forgotten_approval, "I5"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_each_difference_is_found(spoil: Callable[[Rows], None], code: str) -> None:
    rows, journal = house()
    spoil(rows)
    assert code in {violation.code for violation in oracle.everything(rows, journal, [])}


def test_outages_near_one_another_give_one_grace():
    assert oracle.joined([(0, 20), (15, 30), (40, 60)], 0.0) == [(0, 30), (40, 60)]
    assert oracle.joined([(0, 20), (15, 30), (40, 60)], 20.0) == [(0, 60)]
    assert oracle.outages_of([Down("postgres", 0, 20), Down("postgres", 10, 30)]) == [(0, 30)]


def test_a_mode_that_nobody_could_open_is_found() -> None:
    played = Journal()
    played.modes.update(mode.key for mode in ALL if not mode.is_practice)
    assert oracle.modes_unplayed(played, 300) == []
    played.modes["stake"] = 0
    played.counts["refused not_offered"] = 31
    assert oracle.modes_unplayed(played, 299) == []
    (violation,) = oracle.modes_unplayed(played, 300)
    assert violation.code == "I0"
    assert "mode stake" in violation.text
    assert "not_offered" in violation.text
