"""Sessions at the table: when a game follows, when the session ends, and what is left then."""

from itertools import cycle

import msgspec
import pytest

from backgammon.rules.cube import Cube
from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import ImpossibleResult, MatchOver, Reason, WrongPhase
from games.table.evolve import replay
from games.table.session import result_of
from games.table.stakes import banks_of
from games.table.state import SESSION_PAUSE_MS, TableState
from games.table.turn import why_no_double
from games.table.verdict import possible_verdicts
from games.table.view import table_view
from harness.rig import Rig, terms_for

SESSION = {
    "mode": "session", "stake_cents": 50, "bank_cents": 1000, "start_rule": "opener_alternates",
}  # fmt: skip


@pytest.fixture
def table() -> Rig:
    """A session at 0.50 with banks of 10.00; a game costs 5.00 at most."""
    return session()


def session(**wishes: object) -> Rig:
    rig = Rig(cycle([(3, 1), (4, 2)]), terms_for(**{**SESSION, **wishes})).sit()
    rig.give(cmd.Roll(), 0)
    return rig


def lose(table: Rig, level: int = 1) -> None:
    """The player on roll resigns, and the other accepts."""
    loser = table.on_roll
    table.give(cmd.OfferResignation(level=level), loser)
    if table.state.phase == "resignation_offered":
        table.give(cmd.AcceptResignation(), 1 - loser)


def banks(table: Rig) -> tuple[int, int]:
    found = banks_of(table.state)
    assert found is not None
    assert table_view(table.state).banks_cents == found.cents
    return found.cents


def ending(table: Rig) -> tuple[str, int | None]:
    assert table.state.phase == "over"
    result = result_of(table.state)
    return result.ending.value, result.winner


def test_games_follow_each_other_and_move_credits_from_bank_to_bank(table: Rig) -> None:
    assert banks(table) == (1000, 1000)
    lose(table)
    assert (table.state.phase, banks(table)) == ("between_games", (950, 1045))
    table.go_on()
    assert table.state.match.game.number == 2
    assert table.on_roll == 1
    lose(table, level=2)
    assert (banks(table), table.state.match.score) == ((1040, 945), (2, 1))
    assert table.state.match.games == ((1, 1), (0, 2))


def test_the_next_game_needs_both(table: Rig) -> None:
    lose(table)
    table.give(cmd.Ready(), 0)
    assert table.state.phase == "between_games"
    with pytest.raises(WrongPhase):
        table.give(cmd.Ready(), 0)


@pytest.mark.parametrize("command", [cmd.Stop(), cmd.Leave()])
@pytest.mark.parametrize("ready", [True, False])
def test_stopping_between_games_costs_nothing(
    table: Rig, command: cmd.Command, ready: bool
) -> None:
    lose(table)
    if ready:
        table.give(cmd.Ready(), 0)
    told = table.give(command, 0)
    assert [type(event) for event in told] == [ev.PlayerStopped, ev.MatchEnded]
    assert ending(table) == ("stopped", 1)
    assert banks(table) == (950, 1045)
    with pytest.raises(MatchOver):
        table.give(cmd.Stop(), 1)


def test_a_running_game_cannot_be_stopped(table: Rig) -> None:
    with pytest.raises(WrongPhase):
        table.give(cmd.Stop(), 0)
    assert "stop" not in table_view(table.state).actions[0]


def test_only_sessions_are_stopped() -> None:
    table = Rig(cycle([(3, 1), (4, 2)])).sit()
    table.give(cmd.Roll(), 0)
    lose(table)
    assert "stop" not in table_view(table.state).actions[0]
    with pytest.raises(WrongPhase):
        table.give(cmd.Stop(), 0)


def test_silence_between_games_ends_the_session_and_costs_nothing(table: Rig) -> None:
    lose(table)
    table.give(cmd.Ready(), 0)
    table.now_ms += SESSION_PAUSE_MS
    table.give(cmd.WakeUp())
    assert ending(table) == ("lapsed", 1)
    assert banks(table) == (950, 1045)


@pytest.mark.parametrize("seat", [0, 1])
def test_leaving_a_game_loses_it_at_the_largest_score_and_ends_the_session(seat: int) -> None:
    table = session()
    lose(table)
    table.go_on()
    told = table.give(cmd.Leave(), seat)
    assert [type(event) for event in told] == [ev.PlayerLeft, ev.GameEnded, ev.MatchEnded]
    assert (told[1].points, told[1].level, told[1].cube, told[1].winner) == (3, 3, 1, 1 - seat)
    expected = ((800, 1180), (1085, 895))[seat]
    assert banks(table) == expected
    assert ending(table) == ("left", (1, 0)[seat])


def test_the_winner_is_the_seat_that_has_more_left_even_if_it_left(table: Rig) -> None:
    lose(table)
    table.go_on()
    lose(table, level=3)
    table.go_on()
    assert banks(table) == (1085, 895)
    lose(table)
    table.go_on()
    lose(table)
    table.go_on()
    table.give(cmd.Leave(), 1)
    assert ending(table) == ("left", 0)


def test_equal_banks_have_no_winner(table: Rig) -> None:
    lose(table)
    table.go_on()
    lose(table)
    table.give(cmd.Stop(), 1)
    assert banks(table) == (995, 995)
    assert ending(table) == ("stopped", None)


def test_under_jacoby_a_leaver_loses_a_single_game() -> None:
    table = session(jacoby=True)
    table.give(cmd.Leave(), 1)
    assert banks(table) == (1045, 950)


def test_time_over_loses_the_game_and_ends_the_session(table: Rig) -> None:
    table.now_ms += 12_000 + table.state.terms.reserve_ms + 1
    told = table.give(cmd.WakeUp())
    assert [type(event) for event in told] == [ev.TimeRanOut, ev.GameEnded, ev.MatchEnded]
    assert ending(table) == ("time_over", 1)
    assert banks(table) == (850, 1135)


def test_the_reserve_is_full_in_every_game(table: Rig) -> None:
    table.now_ms += 100_000
    lose(table)
    assert table.state.clock.reserve_ms[0] < table.state.terms.reserve_ms
    table.go_on()
    assert table.state.clock.reserve_ms[0] == table.state.terms.reserve_ms


def test_a_session_ends_when_a_bank_does_not_cover_another_game() -> None:
    table = session(bank_cents=1000)  # a game costs 5.00 at most
    for number in range(9):  # seat 0 loses 1.50 in every other game and wins 0.45 in the others
        lose(table, level=3 if table.on_roll == 0 else 1)
        if number < 8:
            table.go_on()
    assert ending(table) == ("bank_short", 1)
    assert banks(table) == (430, 1475)


def test_standing_up_before_the_first_roll_of_the_first_game() -> None:
    table = Rig(cycle([(3, 1)]), terms_for(**SESSION)).sit()
    table.give(cmd.Leave(), 0)
    assert table.state.phase == "closed"
    assert table.state.match.result.ending == "stood_up"


@pytest.mark.parametrize(("value", "reason"), [(8, None), (16, Reason.LIMIT)])
def test_nobody_doubles_beyond_what_a_game_can_cost(value: int, reason: object) -> None:
    table = session()
    game = msgspec.structs.replace(table.state.game, cube=Cube(value, 0), turns=(1, 1))
    match = msgspec.structs.replace(table.state.match, game=game)
    state = msgspec.structs.replace(table.state, match=match, phase="roll")
    assert why_no_double(state, 0) is reason


def test_a_verdict_ends_the_game_and_the_session(table: Rig) -> None:
    lose(table)
    table.go_on()
    verdict = max(possible_verdicts(table.state), key=lambda each: (each.winner == 0, each.level))
    told = table.give(
        cmd.Adjudicate(winner=0, score=verdict.score, level=verdict.level, cube=verdict.cube)
    )
    assert [type(event) for event in told] == [ev.GameEnded, ev.MatchEnded]
    assert told[0].points == 3
    assert banks(table) == (1085, 895)
    assert ending(table) == ("adjudicated", 0)


def test_between_games_the_only_verdict_is_the_session_as_it_stands(table: Rig) -> None:
    lose(table)
    (verdict,) = possible_verdicts(table.state)
    assert (verdict.winner, verdict.score, verdict.points) == (1, (0, 1), 0)
    with pytest.raises(ImpossibleResult):
        table.give(cmd.Adjudicate(winner=0))
    table.give(cmd.Adjudicate(winner=1))
    assert ending(table) == ("adjudicated", 1)
    assert banks(table) == (950, 1045)


def test_a_rematch_is_a_session_with_full_banks(table: Rig) -> None:
    lose(table)
    table.give(cmd.Stop(), 1)
    table.give(cmd.Settle(paid_cents=(950, 1045), rake_cents=5, elo_before=("1500", "1500"),
                          elo_after=("1500", "1500")))  # fmt: skip
    for seat in (0, 1):
        table.give(cmd.GiveRematch(match="00000000-0000-4000-8000-000000000002"), seat)
    assert banks(table) == (1000, 1000)
    assert replay(table.events, TableState()) == table.state
