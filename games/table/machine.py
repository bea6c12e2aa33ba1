"""The table machine: a state, a command and the time give events, or one error.

`decide` is the only place that says what may happen at a table; `evolve` says what it leads to.
Nothing here reads a clock, rolls dice or makes an id: they come in with the command.
"""

from games.rules.errors import IllegalPlay
from games.rules.moves import Move
from games.rules.notation import format_play
from games.table import commands as cmd
from games.table import events as ev
from games.table.actions import highest_resignation, resignable_levels
from games.table.doubling import rolls_by_itself, why_no_double
from games.table.errors import (
    IllegalTablePlay,
    MatchOver,
    MayNotDouble,
    MayNotResign,
    NothingDue,
    NotSeated,
    NotYourTurn,
    OwnTable,
    TableFull,
    WrongPhase,
)
from games.table.evolve import evolve
from games.table.plays import legal_plays
from games.table.state import RUNNING_PHASES, Game, Match, TableState, other

Events = tuple[ev.Event, ...]


def decide(state: TableState, command: cmd.Command, now_ms: int, seat: int | None = None) -> Events:
    """The events that `command` causes, in order.

    `seat` is the author's seat (None: the house itself). Raises a `TableError` that names the
    cause; then nothing has happened.
    """
    match command:
        case cmd.OpenTable():
            return (ev.TableOpened(at_ms=now_ms, player=command.player, terms=command.terms),)
        case cmd.Sit():
            return _sit(state, command, now_ms)
        case cmd.WakeUp():
            return _wake_up(state, now_ms)
        case cmd.Settle():
            return _settle(state, command, now_ms)
        case cmd.Void():
            return _void_by_house(state, now_ms)
        case cmd.Adjudicate():
            return _adjudicate(state, command.winner, now_ms)
    return _decide_seated(state, command, now_ms, _seated(state, seat))


def check_roll(state: TableState, seat: int | None) -> None:
    """Raise the error that a roll by `seat` would meet now, before any dice are drawn for it."""
    _on_turn(state, _seated(state, seat), "roll")


def needs_dice(state: TableState) -> bool:
    """Whether the house must roll now, because the player on roll has nothing to decide."""
    return rolls_by_itself(state)


def due_ms(state: TableState) -> int | None:
    """When the table must be woken up: a player's time ends or the next game starts."""
    if state.phase == "between_games":
        return state.next_game_ms
    return state.clock.deadline_ms() if state.decider is not None else None


def _decide_seated(state: TableState, command: cmd.Command, now_ms: int, seat: int) -> Events:
    match command:
        case cmd.GiveDice():
            return _dice(state, command, now_ms, seat)
        case cmd.Play():
            return _play(state, command, now_ms, seat)
        case cmd.Double():
            return _double(state, now_ms, seat)
        case cmd.Take() | cmd.Drop():
            return _answer_double(state, command, now_ms, seat)
        case cmd.OfferResignation():
            return _offer_resignation(state, command.level, now_ms, seat)
        case cmd.AcceptResignation() | cmd.RefuseResignation():
            return _answer_resignation(state, command, now_ms, seat)
        case cmd.Ready():
            return _ready(state, now_ms, seat)
        case cmd.StandUp():
            return _stand_up(state, now_ms, seat)
        case cmd.Leave():
            return _leave(state, now_ms, seat)
    raise TypeError(f"{type(command).__name__} is not for the machine")


# --- guards -------------------------------------------------------------------------------------


def _seated(state: TableState, seat: int | None) -> int:
    if seat is None:
        raise NotSeated("only the two players can do this")
    return seat


def _on_turn(state: TableState, seat: int, phase: str) -> Game:
    """The running game, if the table is in `phase` and `seat` owes the decision."""
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.decider is not None and state.decider != seat:
        raise NotYourTurn("the decision belongs to the other player")
    if state.phase != phase:
        raise WrongPhase(f"this needs phase {phase!r}, the table is in {state.phase!r}")
    assert state.game is not None
    return state.game


def _running_match(state: TableState) -> Match:
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.match is None:
        raise WrongPhase("no match has begun at this table")
    return state.match


# --- sitting down, standing up, leaving ---------------------------------------------------------


def _sit(state: TableState, command: cmd.Sit, now_ms: int) -> Events:
    if command.player in state.seats:
        raise OwnTable("you already sit at this table")
    if state.phase != "open":
        raise TableFull("this table is not open any more")
    number = state.match.number + 1 if state.match else 1
    return (
        ev.PlayerSat(at_ms=now_ms, seat=1, player=command.player),
        ev.MatchStarted(at_ms=now_ms, match=command.match, number=number),
        ev.GameStarted(at_ms=now_ms, game=1, starter=0, crawford=False),
    )


def _stand_up(state: TableState, now_ms: int, seat: int) -> Events:
    stood_up = ev.PlayerStoodUp(at_ms=now_ms, seat=seat)
    if state.phase == "open":
        return (stood_up, ev.TableClosed(at_ms=now_ms, reason="cancelled"))
    if not state.before_first_roll:
        _running_match(state)
        raise WrongPhase("the dice have fallen: to go now is to leave")
    return (stood_up, *_void(state, "stood_up", now_ms))


def _leave(state: TableState, now_ms: int, seat: int) -> Events:
    if state.phase == "open" or state.before_first_roll:
        return _stand_up(state, now_ms, seat)
    _running_match(state)
    return (ev.PlayerLeft(at_ms=now_ms, seat=seat), _forfeit(state, "left", now_ms, seat))


def _forfeit(state: TableState, ending: str, now_ms: int, loser: int) -> ev.Event:
    """A prize for a whole match goes to the other player, whatever the score is."""
    score = _running_match(state).score
    return ev.MatchEnded(at_ms=now_ms, winner=other(loser), ending=ending, score=score)


def _void(state: TableState, reason: str, now_ms: int) -> Events:
    if state.match is None or state.phase not in RUNNING_PHASES:
        raise WrongPhase("no match is running at this table")
    return (
        ev.MatchVoided(at_ms=now_ms, reason=reason),
        ev.TableClosed(at_ms=now_ms, reason=reason),
    )


def _void_by_house(state: TableState, now_ms: int) -> Events:
    """Void the running match, or the one that has just ended, whatever came of it."""
    if state.phase == "over" and state.match and state.match.result:
        if state.match.result.winner is None:
            raise MatchOver("the match counts for nothing already")
        return (ev.MatchVoided(at_ms=now_ms, reason="voided"),)
    return _void(state, "voided", now_ms)


def _adjudicate(state: TableState, winner: int, now_ms: int) -> Events:
    score = _running_match(state).score
    return (ev.MatchEnded(at_ms=now_ms, winner=winner, ending="adjudicated", score=score),)


def _wake_up(state: TableState, now_ms: int) -> Events:
    due = due_ms(state)
    if due is None or now_ms < due:
        raise NothingDue("no time limit has passed")
    if state.phase == "between_games":
        return (_next_game(state, now_ms),)
    loser = state.decider
    assert loser is not None
    ran_out = ev.TimeRanOut(at_ms=now_ms, seat=loser)
    if state.before_first_roll:
        return (ran_out, *_void(state, "time_over", now_ms))
    return (ran_out, _forfeit(state, "time_over", now_ms, loser))


def _settle(state: TableState, command: cmd.Settle, now_ms: int) -> Events:
    match = _settled_match(state)
    if sum(command.paid_cents) + command.rake_cents != state.terms.pot_cents:
        raise ValueError(f"payouts and rake of match {match.id} do not add up to the pot")
    return (
        ev.MatchSettled(
            at_ms=now_ms,
            paid_cents=command.paid_cents,
            rake_cents=command.rake_cents,
            elo_before=command.elo_before,
            elo_after=command.elo_after,
        ),
    )


def _settled_match(state: TableState) -> Match:
    match = state.match
    if match is None or match.result is None or match.result.paid_cents is not None:
        raise WrongPhase("no ended match waits for its settlement")
    return match


# --- dice and plays -----------------------------------------------------------------------------


def _dice(state: TableState, command: cmd.GiveDice, now_ms: int, seat: int) -> Events:
    game = _on_turn(state, seat, "roll")
    rolled = ev.DiceRolled(at_ms=now_ms, seat=seat, dice=command.dice, auto=command.auto)
    plays = legal_plays(state.terms.variant, game, command.dice)
    if plays.graph.nodes[0]:
        return (rolled,)
    passed = ev.PlayMade(at_ms=now_ms, seat=seat, dice=command.dice, moves=(), text="", forced=True)
    return (rolled, passed)


def _play(state: TableState, command: cmd.Play, now_ms: int, seat: int) -> Events:
    game = _on_turn(state, seat, "play")
    assert game.dice is not None
    variant = state.variant
    plays = legal_plays(variant.key, game, game.dice)
    moves = tuple(Move(*move) for move in command.moves)
    try:
        after = plays.graph.follow(moves)
    except IllegalPlay as error:
        raise IllegalTablePlay(str(error)) from error
    played = ev.PlayMade(
        at_ms=now_ms,
        seat=seat,
        dice=game.dice,
        moves=command.moves,
        text=format_play(variant, game.position, moves),
        forced=len(plays.results) == 1,
    )
    outcome = variant.outcome(after)
    if outcome is None:
        return (played,)
    assert outcome.winner == "mover", "draws and losses by bearing off are not played for prizes"
    state = evolve(state, played)
    return (played, *_end_game(state, seat, outcome.level, game.cube.value, "borne_off", now_ms))


# --- the cube -----------------------------------------------------------------------------------


def _double(state: TableState, now_ms: int, seat: int) -> Events:
    game = _on_turn(state, seat, "roll")
    reason = why_no_double(state, seat)
    if reason is not None:
        raise MayNotDouble(f"you may not double now: {reason.value}", reason=reason.value)
    return (ev.DoubleOffered(at_ms=now_ms, seat=seat, value=2 * game.cube.value),)


def _answer_double(
    state: TableState, command: cmd.Take | cmd.Drop, now_ms: int, seat: int
) -> Events:
    game = _on_turn(state, seat, "double_offered")
    value = 2 * game.cube.value
    if isinstance(command, cmd.Take):
        return (ev.DoubleTaken(at_ms=now_ms, seat=seat, value=value),)
    dropped = ev.DoubleDropped(at_ms=now_ms, seat=seat, value=value)
    ended = _end_game(state, other(seat), 1, game.cube.value, "double_dropped", now_ms)
    return (dropped, *ended)


# --- resignation --------------------------------------------------------------------------------


def _offer_resignation(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    game = _on_turn(state, seat, state.phase if state.phase in ("roll", "play") else "roll")
    if level not in resignable_levels(state):
        raise MayNotResign(f"a resignation at level {level} cannot be offered now")
    offered = ev.ResignationOffered(at_ms=now_ms, seat=seat, level=level)
    if level < highest_resignation(state, game):
        return (offered,)
    # nothing higher is possible, so there is nothing to refuse it for
    return (offered, *_accept(evolve(state, offered), level, now_ms, other(seat)))


def _answer_resignation(
    state: TableState,
    command: cmd.AcceptResignation | cmd.RefuseResignation,
    now_ms: int,
    seat: int,
) -> Events:
    game = _on_turn(state, seat, "resignation_offered")
    assert game.resignation is not None
    level = game.resignation.level
    if isinstance(command, cmd.RefuseResignation):
        return (ev.ResignationRefused(at_ms=now_ms, seat=seat, level=level),)
    return _accept(state, level, now_ms, seat)


def _accept(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    assert state.game is not None
    accepted = ev.ResignationAccepted(at_ms=now_ms, seat=seat, level=level)
    return (accepted, *_end_game(state, seat, level, state.game.cube.value, "resigned", now_ms))


# --- games and matches --------------------------------------------------------------------------


def _end_game(
    state: TableState, winner: int, level: int, cube: int, ending: str, now_ms: int
) -> Events:
    """The end of a game, and of the match if it decides it."""
    points = cube * level
    score = list(_running_match(state).score)
    score[winner] += points
    total = (score[0], score[1])
    ended = ev.GameEnded(
        at_ms=now_ms,
        winner=winner,
        points=points,
        level=level,
        cube=cube,
        ending=ending,
        score=total,
    )
    if total[winner] < state.terms.target_points:
        return (ended,)
    return (ended, ev.MatchEnded(at_ms=now_ms, winner=winner, ending=ending, score=total))


def _ready(state: TableState, now_ms: int, seat: int) -> Events:
    _running_match(state)
    if state.phase != "between_games":
        raise WrongPhase("no game waits to begin")
    if state.ready[seat]:
        raise WrongPhase("you are ready already")
    ready = ev.PlayerReady(at_ms=now_ms, seat=seat)
    return (ready, _next_game(state, now_ms)) if state.ready[other(seat)] else (ready,)


def _next_game(state: TableState, now_ms: int) -> ev.Event:
    match = _running_match(state)
    assert match.game is not None
    return ev.GameStarted(
        at_ms=now_ms,
        game=match.game.number + 1,
        starter=other(match.game.starter),  # the opener starts, then they alternate
        crawford=_is_crawford(state, match.score),
    )


def _is_crawford(state: TableState, score: tuple[int, int]) -> bool:
    """Whether the next game is the Crawford game: the first in which somebody is one point away."""
    match = _running_match(state)
    one_away = max(score) == state.terms.target_points - 1
    return state.terms.crawford and not match.crawford_played and one_away
