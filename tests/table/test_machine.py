"""The table machine keeps the promises of a match to five points."""

from itertools import cycle

import pytest

from games.table import commands as cmd
from games.table import events as ev
from games.table.errors import (
    IllegalTablePlay,
    MatchOver,
    MayNotDouble,
    MayNotResign,
    NothingDue,
    NotSeated,
    NotYourTurn,
    OwnTable,
    Reason,
    TableFull,
    WrongPhase,
)
from games.table.evolve import replay
from games.table.machine import due_ms
from games.table.rights import actions
from games.table.state import NEXT_GAME_MS, REST_MS
from games.table.turn import why_no_double
from harness.rig import HILDE, MAGRIEL, TILO, Rig

#: seat 0 runs home with sixes and fives, seat 1 crawls: games end quickly, in gammons for seat 0.
FAST_SLOW = [(6, 6), (4, 3), (5, 5), (6, 4)]


def rig(dice=FAST_SLOW) -> Rig:
    return Rig(cycle(dice)).sit()


def names(events) -> list[str]:
    return [type(event).__name__ for event in events]


def test_the_opener_starts_and_the_first_roll_is_asked_for():
    table = rig()
    assert names(table.events) == ["TableOpened", "PlayerSat", "MatchStarted", "GameStarted"]
    assert table.state.phase == "roll"
    assert table.on_roll == 0
    assert actions(table.state, 0) == ("roll", "stand_up")
    assert actions(table.state, 1) == ("stand_up",)


def test_games_alternate_between_the_two_beginners():
    table = rig()
    starters = []
    for _ in range(3):
        starters.append(table.state.game.starter)
        seat = table.on_roll
        if table.state.before_first_roll:
            table.turn()
            seat = table.on_roll
        table.give(cmd.OfferResignation(level=1), seat)
        table.give(cmd.AcceptResignation(), 1 - seat)
        table.give(cmd.Ready(), 0)
        table.give(cmd.Ready(), 1)
    assert starters == [0, 1, 0]


def test_nobody_doubles_in_the_first_turn_but_the_second_player_may_in_his():
    table = rig()
    with pytest.raises(MayNotDouble) as refused:
        table.give(cmd.Double(), 0)
    assert refused.value.fields["reason"] == "first_turn"
    table.turn()
    assert table.on_roll == 1
    assert "double" in actions(table.state, 1)


def test_a_taken_double_belongs_to_the_taker_and_the_doubler_rolls():
    table = rig()
    table.turn()
    table.give(cmd.Double(), 1)
    assert table.state.phase == "double_offered"
    assert actions(table.state, 0) == ("take", "drop", "leave")
    events = table.give(cmd.Take(), 0)
    cube = table.state.game.cube
    assert (cube.value, cube.owner) == (2, 0)
    # seat 1 cannot double again, so the roll is automatic
    assert names(events) == ["DoubleTaken", "DiceRolled"]
    assert events[1].seat == 1
    assert events[1].auto


def test_a_dropped_double_costs_the_old_cube_and_never_more():
    table = rig()
    table.turn()
    table.give(cmd.Double(), 1)
    dropped, ended = table.give(cmd.Drop(), 0)
    assert isinstance(dropped, ev.DoubleDropped)
    assert (ended.winner, ended.points, ended.level, ended.cube) == (1, 1, 1, 1)
    assert ended.ending == "double_dropped"
    assert table.state.match.score == (0, 1)
    assert table.state.phase == "between_games"


def test_a_gammon_with_the_cube_on_two_counts_four_and_the_crawford_game_follows():
    table = rig()
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Take(), 0)
    table.play_first()
    while table.on_roll != 1 or table.state.phase != "play":
        table.turn()
    table.give(cmd.OfferResignation(level=2), 1)
    (_, ended) = table.give(cmd.AcceptResignation(), 0)
    assert (ended.points, ended.level, ended.cube) == (4, 2, 2)
    assert table.state.match.score == (4, 0)
    table.go_on()
    assert table.state.game.crawford


def test_a_game_played_out_scores_the_level_of_the_board():
    table = rig()
    table.play_game()
    last = table.state.match.last_game
    assert last.ending == "borne_off"
    assert last.points == last.level >= 1


def test_the_crawford_game_is_played_once_and_without_cube():
    table = rig()
    _win_by_drops(table, winner=0, games=4)
    assert table.state.match.score == (4, 0)
    table.go_on()
    assert table.state.game.crawford
    table.turn()
    with pytest.raises((MayNotDouble, WrongPhase, NotYourTurn)):
        table.give(cmd.Double(), table.on_roll)
    seat = table.on_roll
    while table.on_roll != 0:
        table.turn()
        seat = table.on_roll
    table.give(cmd.OfferResignation(level=1), seat)
    table.give(cmd.AcceptResignation(), 1)
    assert table.state.match.score == (4, 1)
    table.go_on()
    assert not table.state.game.crawford


def test_the_leader_at_match_point_has_a_dead_cube_and_the_other_may_double():
    table = rig()
    _win_by_drops(table, winner=0, games=4)
    table.go_on()  # Crawford
    while table.on_roll != 0:
        table.turn()
    table.give(cmd.OfferResignation(level=1), 0)
    table.give(cmd.AcceptResignation(), 1)
    table.go_on()  # after Crawford
    table.play_first()  # the first roll of a game is automatic
    rolled = [e for e in table.events[-2:] if isinstance(e, ev.DiceRolled)]
    assert [(e.seat, e.auto) for e in rolled] == [(0, True)]
    assert why_no_double(table.state, 0) is Reason.DEAD
    table.play_first()
    assert "double" in actions(table.state, 1)


def test_once_dice_have_fallen_nobody_stands_up_unharmed():
    table = rig()
    table.give(cmd.Roll(), 0)
    with pytest.raises(WrongPhase):
        table.give(cmd.StandUp(), 1)


@pytest.mark.parametrize("command", [cmd.StandUp(), cmd.Leave()])
@pytest.mark.parametrize("seat", [0, 1])
def test_standing_up_before_the_first_roll_voids_the_match(seat, command):
    table = rig()
    assert names(table.give(command, seat)) == ["PlayerStoodUp", "MatchVoided", "TableClosed"]
    assert table.state.phase == "closed"
    assert table.state.match.result.winner is None


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moment", ["play", "roll", "double_offered", "between_games"])
def test_leaving_forfeits_the_match_whatever_the_score_is(seat, moment):
    table = rig()
    table.give(cmd.Roll(), 0)
    if moment != "play":
        table.play_first()
    if moment in ("double_offered", "between_games"):
        table.give(cmd.Double(), 1)
    if moment == "between_games":
        table.give(cmd.Drop(), 0)
    assert table.state.phase == moment
    left, ended = table.give(cmd.Leave(), seat)
    assert left.seat == seat
    assert (ended.winner, ended.ending) == (1 - seat, "left")
    assert table.state.phase == "over"
    assert due_ms(table.state) == table.now_ms + REST_MS


def test_a_second_leave_finds_the_match_over():
    table = rig()
    table.turn()
    table.give(cmd.Leave(), 0)
    with pytest.raises(MatchOver):
        table.give(cmd.Leave(), 1)


def test_time_runs_out_after_delay_and_reserve_and_not_before():
    table = rig()
    table.give(cmd.Roll(), 0)
    due = due_ms(table.state)
    assert due == table.now_ms + 12_000 + 600_000
    table.now_ms = due - 1
    with pytest.raises(NothingDue):
        table.give(cmd.WakeUp())
    table.now_ms = due
    ran_out, ended = table.give(cmd.WakeUp())
    assert ran_out.seat == 0
    assert (ended.winner, ended.ending) == (1, "time_over")


def test_time_that_runs_out_before_the_first_roll_costs_nothing():
    table = rig()
    table.now_ms = due_ms(table.state)
    assert names(table.give(cmd.WakeUp())) == ["TimeRanOut", "MatchVoided", "TableClosed"]
    assert table.state.match.result.ending == "stood_up"


def test_the_clock_belongs_to_who_owes_the_decision():
    table = rig()
    table.turn()
    assert table.state.clock.running == 1
    table.give(cmd.Double(), 1)
    assert table.state.clock.running == 0
    table.give(cmd.Take(), 0)
    assert table.state.clock.running == 1


def test_rolling_does_not_give_a_new_delay():
    table = rig()
    table.now_ms += 10_000
    table.give(cmd.Roll(), 0)
    table.now_ms += 10_000
    table.play_first()
    assert table.state.clock.reserve_ms == (592_000, 600_000)


def test_the_next_game_starts_when_both_are_ready_or_after_ten_seconds():
    table = rig()
    table.turn()
    table.give(cmd.Double(), 1)
    table.give(cmd.Drop(), 0)
    assert due_ms(table.state) == table.now_ms + NEXT_GAME_MS
    table.give(cmd.Ready(), 1)
    assert table.state.phase == "between_games"
    with pytest.raises(WrongPhase):
        table.give(cmd.Ready(), 1)
    table.now_ms += NEXT_GAME_MS
    table.give(cmd.WakeUp())
    assert table.state.game.number == 2
    assert table.on_roll == 1


def test_a_resignation_below_the_highest_possible_may_be_refused_and_not_repeated():
    table = rig()
    table.turn()
    assert actions(table.state, 1) == ("roll", "double", "offer_resignation", "leave")
    table.give(cmd.OfferResignation(level=1), 1)
    assert actions(table.state, 0) == ("accept_resignation", "refuse_resignation", "leave")
    table.give(cmd.RefuseResignation(), 0)
    with pytest.raises(MayNotResign):
        table.give(cmd.OfferResignation(level=1), 1)
    table.give(cmd.OfferResignation(level=2), 1)
    events = table.give(cmd.AcceptResignation(), 0)
    assert (events[1].winner, events[1].points, events[1].ending) == (0, 2, "resigned")


def test_a_resignation_at_the_highest_level_possible_is_accepted_at_once():
    table = rig()
    table.turn()
    events = table.give(cmd.OfferResignation(level=3), 1)
    assert names(events) == ["ResignationOffered", "ResignationAccepted", "GameEnded"]
    assert table.state.match.score == (3, 0)


def test_a_refused_resignation_returns_to_the_dice_that_lie_there():
    table = rig()
    table.give(cmd.Roll(), 0)
    table.give(cmd.OfferResignation(level=1), 0)
    table.give(cmd.RefuseResignation(), 1)
    assert table.state.phase == "play"
    assert table.state.game.dice == (6, 6)


def test_who_cannot_move_passes_by_himself_and_the_state_says_so():
    # seat 0 makes its bar point and five-point board; seat 1 waits, with chosen dice
    table = rig([(3, 1), (6, 5)])
    table.turn()
    (rolled,) = table.give(cmd.Roll(), 1)
    assert rolled.dice == (6, 5)


@pytest.mark.parametrize(
    ("command", "seat", "error"),
    [
        (cmd.Roll(), 1, NotYourTurn),
        (cmd.Roll(), None, NotSeated),
        (cmd.Play(moves=()), 0, WrongPhase),
        (cmd.Take(), 0, WrongPhase),
        (cmd.Drop(), 1, NotYourTurn),
        (cmd.Ready(), 0, WrongPhase),
        (cmd.AcceptResignation(), 0, WrongPhase),
        (cmd.RefuseResignation(), 1, NotYourTurn),
        (cmd.OfferResignation(level=1), 0, MayNotResign),
        (cmd.OfferResignation(level=9), 0, MayNotResign),
        (cmd.Sit(player=TILO, match="x"), None, TableFull),
        (cmd.Sit(player=HILDE, match="x"), None, OwnTable),
        (cmd.Sit(player=MAGRIEL, match="x"), None, OwnTable),
        (cmd.WakeUp(), None, NothingDue),
    ],
)
def test_what_does_not_fit_is_refused_by_name_and_changes_nothing(command, seat, error):
    table = rig()
    before = table.state
    with pytest.raises(error):
        table.give(command, seat)
    assert table.state == before


@pytest.mark.parametrize(
    "moves",
    [
        (),
        ((24, 18, 6),),
        ((24, 18, 6), (24, 18, 6), (13, 7, 6), (13, 6, 6)),
        ((24, 18, 6), (24, 18, 6), (13, 7, 6), (13, 7, 6), (8, 2, 6)),
        ((99, -4, 7),),
    ],
)
def test_only_a_complete_walk_through_the_graph_is_a_play(moves):
    table = rig()
    table.give(cmd.Roll(), 0)
    before = table.state
    with pytest.raises(IllegalTablePlay):
        table.give(cmd.Play(moves=moves), 0)
    assert table.state == before


def test_folding_the_events_gives_the_state():
    table = rig()
    for _ in range(3):
        table.play_game()
        if table.state.phase == "between_games":
            table.go_on()
    assert replay(table.events) == table.state
    assert table.state.seq == len(table.events)


def _win_by_drops(table: Rig, *, winner: int, games: int) -> None:
    """Let `winner` win games of one point each by a resignation of the other."""
    for number in range(games):
        if number:
            table.go_on()
        if table.state.before_first_roll or table.on_roll == winner:
            table.turn()
        while table.on_roll == winner:
            table.turn()
        table.give(cmd.OfferResignation(level=1), 1 - winner)
        table.give(cmd.AcceptResignation(), winner)
