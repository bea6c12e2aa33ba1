"""Absence counts only on one's own turn, and the house's outages cost no one anything."""

from itertools import cycle

import pytest

from games.table import commands as cmd
from games.table.errors import TooEarly, WrongPhase
from games.table.machine import due_ms
from games.table.rights import actions
from games.table.state import ABSENCE_MS, GRACE_MS
from games.table.view import table_view
from harness.rig import Rig, terms_for


@pytest.fixture
def table() -> Rig:
    """A match in which seat 1 is on roll."""
    table = Rig(cycle([(3, 1), (4, 2)]), terms_for(mode="prize5", stake_cents=250)).sit()
    table.turn()
    return table


def away(table: Rig, seat: int) -> None:
    table.give(cmd.NotePresence(present=False), seat)


def home(table: Rig, seat: int) -> None:
    table.give(cmd.NotePresence(present=True), seat)


def test_after_two_minutes_away_on_his_turn_the_other_may_claim_the_win(table):
    away(table, 1)
    assert table_view(table.state).claim_ms == table.now_ms + ABSENCE_MS
    assert actions(table.state, 0) == ("claim", "leave")
    table.now_ms += ABSENCE_MS - 1
    with pytest.raises(TooEarly) as early:
        table.give(cmd.Claim(), 0)
    assert early.value.fields["claim_ms"] == table.now_ms + 1
    table.now_ms += 1
    claimed, ended = table.give(cmd.Claim(), 0)
    assert (claimed.seat, ended.winner, ended.ending) == (0, 0, "absent")


def test_absence_adds_up_over_the_turns_of_a_game(table):
    away(table, 1)
    table.now_ms += 100_000
    home(table, 1)
    assert "claim" not in actions(table.state, 0)
    table.turn()
    table.turn()
    away(table, 1)
    assert table_view(table.state).claim_ms == table.now_ms + ABSENCE_MS - 100_000


def test_who_is_away_on_the_others_turn_loses_nothing_by_it(table):
    away(table, 0)
    table.now_ms += 10 * ABSENCE_MS // 2
    with pytest.raises(WrongPhase):
        table.give(cmd.Claim(), 1)
    table.turn()  # now it is their turn, and only from now on it counts
    assert table_view(table.state).claim_ms == table.now_ms + ABSENCE_MS


def test_a_new_game_begins_without_any_absence(table):
    away(table, 1)
    table.now_ms += 100_000
    home(table, 1)
    table.give(cmd.Double(), 1)
    table.give(cmd.Drop(), 0)
    table.give(cmd.Ready(), 0)
    table.give(cmd.Ready(), 1)
    assert table.state.absences[1].used_ms == 0


def test_nobody_claims_his_own_absence_or_before_the_first_roll(table):
    away(table, 1)
    table.now_ms += 2 * ABSENCE_MS
    with pytest.raises(WrongPhase):
        table.give(cmd.Claim(), 1)
    fresh = Rig(cycle([(3, 1)])).sit()
    away(fresh, 0)
    fresh.now_ms += 2 * ABSENCE_MS
    with pytest.raises(WrongPhase):
        fresh.give(cmd.Claim(), 1)


def test_an_outage_stops_the_clock_and_gives_time_to_come_back(table):
    before = due_ms(table.state)
    began = table.now_ms + 5_000
    ended = began + 300_000
    table.now_ms = ended
    table.give(cmd.CreditOutage(began_ms=began, ended_ms=ended))
    assert due_ms(table.state) == before + 300_000 + GRACE_MS


def test_an_outage_is_credited_once_and_overlapping_ones_only_for_what_is_new(table):
    before = due_ms(table.state)
    began = table.now_ms
    table.now_ms += 90_000
    table.give(cmd.CreditOutage(began_ms=began, ended_ms=began + 60_000))
    assert table.give(cmd.CreditOutage(began_ms=began, ended_ms=began + 60_000)) == ()
    table.give(cmd.CreditOutage(began_ms=began + 30_000, ended_ms=began + 90_000))
    assert due_ms(table.state) == before + 90_000 + 2 * GRACE_MS


def test_absence_during_an_outage_does_not_count(table):
    away(table, 1)
    began = table.now_ms
    table.now_ms += 600_000
    table.give(cmd.CreditOutage(began_ms=began, ended_ms=table.now_ms))
    claim_ms = table_view(table.state).claim_ms
    assert claim_ms == table.now_ms + GRACE_MS + ABSENCE_MS


def test_the_pause_between_games_waits_for_the_house_too(table):
    table.give(cmd.Double(), 1)
    table.give(cmd.Drop(), 0)
    before = due_ms(table.state)
    began = table.now_ms
    table.now_ms += 60_000
    table.give(cmd.CreditOutage(began_ms=began, ended_ms=table.now_ms))
    assert due_ms(table.state) == before + 60_000
