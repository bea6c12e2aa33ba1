"""Folding: a state and an event give the next state. No rules are checked here."""

from collections.abc import Iterable
from typing import Final

import msgspec

from backgammon.rules.cube import Cube
from backgammon.rules.moves import Move
from games.table import absence, takeback
from games.table import events as ev
from games.table.opening import game_begun, setup_of
from games.table.state import (
    NEXT_GAME_MS,
    REST_MS,
    SESSION_PAUSE_MS,
    Clock,
    DiceAsked,
    Flow,
    Game,
    GameResult,
    LastPlay,
    Match,
    MatchResult,
    Phase,
    Resignation,
    TableState,
    other,
    variant_of,
)
from games.table.turn import flow_after, forget_plays, legal_plays
from kit.events import Fold, remembers_last

_with = msgspec.structs.replace
_handle: Final = Fold[TableState]()


@remembers_last
def evolve(state: TableState, event: ev.Event) -> TableState:
    """The state after `event`; every event counts one in `seq`."""
    return _with(_handle(state, event), seq=state.seq + 1)


def replay(events: Iterable[ev.Event], state: TableState | None = None) -> TableState:
    """The state that these events add up to, from an empty table or from `state`."""
    state = state if state is not None else TableState()
    for event in events:
        state = evolve(state, event)
    return state


def _match(state: TableState) -> Match:
    assert state.match is not None, "the event needs a match"
    return state.match


def _game(state: TableState) -> Game:
    game = _match(state).game
    assert game is not None, "the event needs a game"
    return game


def _in_game(state: TableState, game: Game, *, phase: Phase, clock: Clock) -> TableState:
    return _with(state, phase=phase, clock=clock, match=_with(_match(state), game=game))


def _pair_with(pair: tuple[int, int], seat: int, amount: int) -> tuple[int, int]:
    return (pair[0] + amount, pair[1]) if seat == 0 else (pair[0], pair[1] + amount)


@_handle.on(ev.TableOpened)
def _table_opened(state: TableState, event: ev.TableOpened) -> TableState:
    return _with(state, phase="open", terms=event.terms, seats=(event.player, None))


@_handle.on(ev.PlayerSat)
def _player_sat(state: TableState, event: ev.PlayerSat) -> TableState:
    return _with(state, seats=(state.seats[0], event.player))


@_handle.on(ev.MatchStarted)
def _match_started(state: TableState, event: ev.MatchStarted) -> TableState:
    match = Match(
        id=event.match, number=event.number, rated=event.rated, rated_games=event.rated_games
    )
    return _with(
        state,
        clock=Clock.full(state.terms.delay_ms, state.terms.reserve_ms),
        match=match,
        rematch=(False, False),
        next_game_ms=None,
    )


@_handle.on(ev.PositionSet)
def _position_set(state: TableState, event: ev.PositionSet) -> TableState:
    setup = setup_of(event)
    played = setup.is_post_crawford(state.terms)
    match = _with(_match(state), setup=setup, score=event.score, crawford_played=played)
    return _with(state, match=match)


@_handle.on(ev.GameStarted)
def _game_started(state: TableState, event: ev.GameStarted) -> TableState:
    match = _match(state)
    game = game_begun(event, match.setup, variant_of(state.terms, event.game))
    # the games of a session stand alone, so each has a reserve of its own
    terms, clock = state.terms, state.clock
    if terms.contest == "session":
        clock = Clock.full(terms.delay_ms, terms.reserve_ms)
    clock = clock.started(game.on_roll, event.at_ms, fresh_delay_ms=terms.delay_ms)
    match = _with(
        match, game=game, last_game=None, crawford_played=match.crawford_played or event.crawford
    )
    phase: Phase = "roll_off" if event.starter is None else "roll"
    return _with(
        state,
        phase=phase,
        match=match,
        clock=clock,
        ready=(False, False),
        next_game_ms=None,
        absences=absence.forgotten(state),
    )


@_handle.on(ev.RolledOff)
def _rolled_off(state: TableState, event: ev.RolledOff) -> TableState:
    game, match = _game(state), _match(state)
    doubled = int(event.cube != game.cube.value)
    game = _with(game, cube=Cube(event.cube), auto_doubles=game.auto_doubles + doubled)
    match = _with(match, rolls=match.rolls + 1)
    game = _with(game, dice_asked=None)
    if event.starter is None:
        clock = state.clock.resumed(game.on_roll, event.at_ms)
        return _with(state, phase="roll_off", clock=clock, match=_with(match, game=game))
    game = _with(game, starter=event.starter, on_roll=event.starter)
    clock = state.clock.started(event.starter, event.at_ms, fresh_delay_ms=state.terms.delay_ms)
    return _with(state, phase="roll", clock=clock, match=_with(match, game=game))


@_handle.on(ev.DiceAskedFor)
def _dice_asked_for(state: TableState, event: ev.DiceAskedFor) -> TableState:
    # neither clock runs while the players' parts are on their way
    game = _with(_game(state), dice_asked=DiceAsked(auto=event.auto, due_ms=event.due_ms))
    return _in_game(state, game, phase="rolling", clock=state.clock.stopped(event.at_ms))


@_handle.on(ev.DiceRolled)
def _dice_rolled(state: TableState, event: ev.DiceRolled) -> TableState:
    game = _game(state)
    if state.phase == "name_double":
        flow, in_flow = _with(game.flow, choose_double=False), True
    elif game.flow.rolls:
        flow, in_flow = _with(game.flow, rolls=game.flow.rolls[1:]), True
    else:
        flow, in_flow = Flow(), False
    game = _with(game, dice=event.dice, dice_asked=None, flow=flow, in_flow=in_flow)
    match = _with(_match(state), game=game, rolls=_match(state).rolls + 1)
    clock = state.clock.resumed(game.on_roll, event.at_ms)
    return _with(state, phase="play", clock=clock, match=match)


@_handle.on(ev.PlayMade)
def _play_made(state: TableState, event: ev.PlayMade) -> TableState:
    game = _game(state)
    moves = tuple(Move(*move) for move in event.moves)
    after = legal_plays(state, game, event.dice).graph.follow(moves)
    forget_plays(state)
    state = takeback.kept(state, event.seat, event.moves)
    last = LastPlay(seat=event.seat, dice=event.dice, moves=event.moves, text=event.text)
    if event.goes_on:
        return _same_seat_goes_on(event, state, _with(game, position=after, last_play=last))
    game = _with(
        game,
        position=after.turned(state.variant.way),
        on_roll=other(event.seat),
        turns=_pair_with(game.turns, event.seat, 1),
        dice=None,
        flow=Flow(),
        in_flow=False,
        refused_level=0,
        last_play=last,
    )
    clock = state.clock.started(other(event.seat), event.at_ms, fresh_delay_ms=state.terms.delay_ms)
    return _in_game(state, game, phase="roll", clock=clock)


def _same_seat_goes_on(event: ev.PlayMade, state: TableState, game: Game) -> TableState:
    """The turn is not over: another roll follows, or a double is to be named."""
    flow = flow_after(state, _game(state), event.dice, event.moves)
    phase: Phase = "name_double" if flow.choose_double and not flow.rolls else "roll"
    if flow.roll_again and not flow.rolls and not flow.choose_double:
        game = _with(game, turns=_pair_with(game.turns, event.seat, 1), in_flow=False)
        flow = Flow()
    game = _with(game, dice=None, flow=flow)
    return _with(state, phase=phase, match=_with(_match(state), game=game))


@_handle.on(ev.DoubleOffered)
def _double_offered(state: TableState, event: ev.DoubleOffered) -> TableState:
    game = _with(_game(state), double_offered_by=event.seat, cube_turns=1)
    return _cube_turned(state, game, to=other(event.seat), at_ms=event.at_ms)


@_handle.on(ev.Beavered, ev.Raccooned)
def _beavered(state: TableState, event: ev.Beavered | ev.Raccooned) -> TableState:
    game = _with(_game(state), cube_turns=_game(state).cube_turns + 1)
    return _cube_turned(state, game, to=other(event.seat), at_ms=event.at_ms)


def _cube_turned(state: TableState, game: Game, *, to: int, at_ms: int) -> TableState:
    clock = state.clock.started(to, at_ms, fresh_delay_ms=state.terms.delay_ms)
    return _in_game(state, game, phase="double_offered", clock=clock)


@_handle.on(ev.DoubleTaken)
def _double_taken(state: TableState, event: ev.DoubleTaken) -> TableState:
    game = _game(state)
    assert game.double_offered_by is not None, "nobody doubled"
    doubler = game.double_offered_by
    game = _with(
        game,
        # the player who was offered the double owns the cube, also after a beaver and a raccoon
        cube=Cube(value=event.value, owner=other(doubler)),
        double_offered_by=None,
        cube_turns=0,
        double_taken=True,
    )
    # the doubler goes on with the rest of the delay of their turn
    clock = state.clock.started(doubler, event.at_ms)
    return _in_game(state, game, phase="roll", clock=clock)


@_handle.on(ev.DoubleDropped)
def _double_dropped(state: TableState, event: ev.DoubleDropped) -> TableState:
    game = _with(_game(state), double_offered_by=None, cube_turns=0)
    return _with(state, match=_with(_match(state), game=game))


@_handle.on(ev.ResignationOffered)
def _resignation_offered(state: TableState, event: ev.ResignationOffered) -> TableState:
    game = _with(_game(state), resignation=Resignation(seat=event.seat, level=event.level))
    clock = state.clock.started(other(event.seat), event.at_ms, fresh_delay_ms=state.terms.delay_ms)
    return _in_game(state, game, phase="resignation_offered", clock=clock)


@_handle.on(ev.ResignationAccepted)
def _resignation_accepted(state: TableState, event: ev.ResignationAccepted) -> TableState:
    game = _with(_game(state), resignation=None)
    return _with(state, match=_with(_match(state), game=game))


@_handle.on(ev.ResignationRefused)
def _resignation_refused(state: TableState, event: ev.ResignationRefused) -> TableState:
    game = _game(state)
    game = _with(game, resignation=None, refused_level=event.level)
    phase: Phase = "play" if game.dice is not None else "roll"
    clock = state.clock.started(other(event.seat), event.at_ms)
    return _in_game(state, game, phase=phase, clock=clock)


@_handle.on(ev.TakenBack)
def _taken_back(state: TableState, event: ev.TakenBack) -> TableState:
    return takeback.restored(state, event.seat, event.at_ms)


@_handle.on(ev.PlayerReady)
def _player_ready(state: TableState, event: ev.PlayerReady) -> TableState:
    return _with(state, ready=_flag(state.ready, event.seat))


def _flag(pair: tuple[bool, bool], seat: int) -> tuple[bool, bool]:
    return (True, pair[1]) if seat == 0 else (pair[0], True)


@_handle.on(ev.PlayerAbsent)
def _player_absent(state: TableState, event: ev.PlayerAbsent) -> TableState:
    return absence.gone(state, event.seat, event.at_ms)


@_handle.on(ev.PlayerBack)
def _player_back(state: TableState, event: ev.PlayerBack) -> TableState:
    return absence.back(state, event.seat, event.at_ms)


@_handle.on(ev.OutageCredited)
def _outage_credited(state: TableState, event: ev.OutageCredited) -> TableState:
    return absence.outage_credited(state, event.began_ms, event.ended_ms)


@_handle.on(ev.WinClaimed, ev.PlayerLeft, ev.PlayerStopped, ev.TimeRanOut, ev.PlayerStoodUp)
def _only_announces(state: TableState, event: ev.Event) -> TableState:
    # what follows from it comes as events of its own
    return state


@_handle.on(ev.GameEnded)
def _game_ended(state: TableState, event: ev.GameEnded) -> TableState:
    result = GameResult(
        winner=event.winner,
        points=event.points,
        level=event.level,
        cube=event.cube,
        ending=event.ending,
        score=event.score,
    )
    match = _match(state)
    match = _with(match, score=event.score, last_game=result, games_played=match.games_played + 1)
    pause_ms = NEXT_GAME_MS
    if state.terms.contest == "session":
        match = _with(match, games=(*match.games, (event.winner, event.points)))
        pause_ms = SESSION_PAUSE_MS
    return _with(
        state,
        phase="between_games",
        match=match,
        clock=state.clock.stopped(event.at_ms),
        ready=(False, False),
        next_game_ms=event.at_ms + pause_ms,
    )


@_handle.on(ev.MatchEnded)
def _match_ended(state: TableState, event: ev.MatchEnded) -> TableState:
    result = MatchResult(
        winner=event.winner,
        ending=event.ending,
        points=event.points,
        level=event.level,
        cube=event.cube,
    )
    match = _with(_match(state), score=event.score, result=result)
    return _over(state, match, event.at_ms)


@_handle.on(ev.MatchSettled)
def _match_settled(state: TableState, event: ev.MatchSettled) -> TableState:
    match = _match(state)
    assert match.result is not None, "a match is settled after it has ended"
    result = _with(
        match.result,
        paid_cents=event.paid_cents,
        rake_cents=event.rake_cents,
        elo_before=event.elo_before,
        elo_after=event.elo_after,
    )
    return _with(state, match=_with(match, result=result))


@_handle.on(ev.MatchVoided)
def _match_voided(state: TableState, event: ev.MatchVoided) -> TableState:
    result = MatchResult(winner=None, ending=event.reason, counts=False)
    return _over(state, _with(_match(state), result=result), event.at_ms)


def _over(state: TableState, match: Match, at_ms: int) -> TableState:
    return _with(
        state,
        phase="over",
        match=match,
        clock=state.clock.stopped(at_ms),
        rematch=(False, False),
        next_game_ms=at_ms + REST_MS,
    )


@_handle.on(ev.RematchOffered)
def _rematch_offered(state: TableState, event: ev.RematchOffered) -> TableState:
    return _with(state, rematch=_flag(state.rematch, event.seat))


@_handle.on(ev.TableClosed)
def _table_closed(state: TableState, event: ev.TableClosed) -> TableState:
    clock = state.clock.stopped(event.at_ms)
    return _with(state, phase="closed", clock=clock, next_game_ms=None, successor=event.successor)
