"""Dice, plays, the cube, resignations and the ends of games: what each leads to."""

import msgspec

from backgammon.rules.cube import points_for_dropping
from backgammon.rules.errors import IllegalPlay
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.scoring import counted_level
from backgammon.rules.start import PreviousGame, StartRule, beginner, roll_off_winner
from backgammon.rules.variant import Outcome
from games.table import commands as cmd
from games.table import events as ev
from games.table import session
from games.table.errors import IllegalTablePlay, MayNotResign, NotYourTurn
from games.table.evolve import evolve
from games.table.forfeit import game_ended
from games.table.rights import permit
from games.table.setup import Setup
from games.table.state import Game, TableState, other, running_game, running_match, variant_of
from games.table.turn import (
    TURN_OVER,
    flow_after,
    legal_plays,
    offered_value,
    resignable_levels,
    why_not_at,
)

Events = tuple[ev.Event, ...]

DOUBLES = range(1, 7)


def match_opening(state: TableState, setup: Setup | None, now_ms: int) -> Events:
    """The start of a match's first game: as the variant begins, or from a position."""
    if setup is None:
        return (first_game(state, now_ms),)
    placed = ev.PositionSet(at_ms=now_ms, **msgspec.structs.asdict(setup))
    started = ev.GameStarted(at_ms=now_ms, game=1, starter=setup.on_roll, crawford=setup.crawford)
    return (placed, started)


def first_game(state: TableState, now_ms: int, *, number: int = 1) -> ev.Event:
    """The start of a game, by the table's rule for the beginner."""
    rule, previous = state.terms.start, _previous(state)
    if rule is StartRule.WINNER_STARTS and previous is None:
        rule = variant_of(state.terms, number).start_rule
    starter = beginner(rule, opener=0, previous=previous)
    crawford = number > 1 and state.score.is_crawford
    return ev.GameStarted(at_ms=now_ms, game=number, starter=starter, crawford=crawford)


def _previous(state: TableState) -> PreviousGame | None:
    """The game before, of this match or the one before it, if its beginner was found.

    A game that was left has the winner of its match.
    """
    match = state.match
    if match is None or match.game is None or match.game.starter is None:
        return None
    ended = match.last_game or match.result
    return PreviousGame(beginner=match.game.starter, winner=ended.winner if ended else None)


def next_game(state: TableState, now_ms: int) -> ev.Event:
    """The start of the game after the one that has ended."""
    match = running_match(state)
    assert match.game is not None, "a game has ended"
    return first_game(state, now_ms, number=match.game.number + 1)


def ask_for_dice(state: TableState, command: cmd.AskForDice, now_ms: int, seat: int) -> Events:
    """The roll is decided: this turn takes no other command before its dice are there."""
    permit(state, seat, "roll")
    return (ev.DiceAskedFor(at_ms=now_ms, seat=seat, auto=command.auto, due_ms=command.due_ms),)


def dice(state: TableState, command: cmd.GiveDice, now_ms: int, seat: int) -> Events:
    """The events of dice that the service has drawn for the seat that waits for them."""
    game = state.game
    if state.phase != "rolling":
        permit(state, seat, "roll")
    elif game is not None and seat != game.on_roll:
        raise NotYourTurn("the dice are the other player's")
    assert game is not None, "a roll belongs to a game"
    if game.starter is None:
        return _roll_off(state, game, command.dice, now_ms)
    return _rolled(state, seat, command.dice, command.auto, now_ms)


def _roll_off(state: TableState, game: Game, rolled: tuple[int, ...], now_ms: int) -> Events:
    pair = (rolled[0], rolled[1])
    starter = roll_off_winner(pair)
    value = game.cube.value
    may_turn = game.auto_doubles < state.terms.auto_doubles_max
    if starter is None and may_turn and 2 * value <= state.terms.cube_cap:
        value *= 2  # the cube stays in the middle
    event = ev.RolledOff(at_ms=now_ms, dice=pair, starter=starter, cube=value)
    if starter is None or not state.start_rule.uses_roll_off:
        return (event,)
    high_first = (max(pair), min(pair))
    return (event, *_rolled(evolve(state, event), starter, high_first, True, now_ms))


def name_double(state: TableState, number: int, now_ms: int, seat: int) -> Events:
    """Play the named double like a roll. Raises `IllegalTablePlay` if no die shows it."""
    permit(state, seat, "name_double")
    if number not in DOUBLES:
        raise IllegalTablePlay(f"a double shows 1 to 6, not {number}")
    return _rolled(state, seat, (number, number), False, now_ms)


def _rolled(
    state: TableState, seat: int, rolled: tuple[int, ...], auto: bool, now_ms: int
) -> Events:
    event = ev.DiceRolled(at_ms=now_ms, seat=seat, dice=rolled, auto=auto)
    state = evolve(state, event)
    assert state.game is not None
    if legal_plays(state, state.game, rolled).dice_played:
        return (event,)
    passed = ev.PlayMade(at_ms=now_ms, seat=seat, dice=rolled, moves=(), text="", forced=True)
    frozen = state.variant.ending(state.game.position)
    state = evolve(state, passed)
    ended = _ended_on_board(state, seat, frozen, now_ms) if frozen else ()
    return (event, passed, *ended)


def play(state: TableState, command: cmd.Play, now_ms: int, seat: int) -> Events:
    """A play and everything that follows from it at once. Raises `IllegalTablePlay`."""
    permit(state, seat, "play")
    game = running_game(state)
    assert game.dice is not None
    variant = state.variant
    plays = legal_plays(state, game, game.dice)
    moves = tuple(Move(*move) for move in command.moves)
    try:
        after = plays.graph.follow(moves)
    except IllegalPlay as error:
        raise IllegalTablePlay(str(error)) from error
    outcome = variant.ending(after)  # a legal play leads to a position that can stand
    flow = flow_after(state, game, game.dice, command.moves)
    event = ev.PlayMade(
        at_ms=now_ms,
        seat=seat,
        dice=game.dice,
        moves=command.moves,
        text=format_play(variant, game.position, moves),
        forced=plays.is_forced,
        goes_on=outcome is None and flow != TURN_OVER,
    )
    state = evolve(state, event)
    if outcome is not None:
        return (event, *_ended_on_board(state, seat, outcome, now_ms))
    if event.goes_on and flow.rolls:  # no chance in it: the variant defines which numbers follow
        return (event, *_rolled(state, seat, flow.rolls[0], True, now_ms))
    return (event,)


def _ended_on_board(state: TableState, seat: int, outcome: Outcome, now_ms: int) -> Events:
    winners = {"mover": seat, "opponent": other(seat), None: None}
    return end_game(state, winners[outcome.winner], outcome.level, "borne_off", now_ms)


def end_game(
    state: TableState,
    winner: int | None,
    level: int,
    ending: str,
    now_ms: int,
    *,
    cube_value: int | None = None,
) -> Events:
    """The end of a game, and of the match if that decides it.

    `cube_value` is what a dropped cube costs where that is not the cube's own value.
    """
    game = state.game
    assert game is not None
    cube = game.cube.value if cube_value is None else cube_value
    level = counted_level(level, jacoby=state.terms.jacoby, double_taken=game.double_taken)
    ended = game_ended(state, winner, level, cube, ending, now_ms)
    if state.is_session:
        return session.after_game(state, ended)
    score = state.score.after(winner, ended.points)
    if not score.is_over:
        return (ended,)
    by_the_point = ended.points if state.terms.contest == "game" else 0
    over = ev.MatchEnded(
        at_ms=now_ms,
        winner=score.winner,
        ending=ending,
        score=score.points,
        points=by_the_point,
    )
    return (ended, over)


def double(state: TableState, now_ms: int, seat: int) -> Events:
    """Offer a double. Raises `MayNotDouble` with the reason."""
    permit(state, seat, "double")
    game = running_game(state)
    return (ev.DoubleOffered(at_ms=now_ms, seat=seat, value=2 * game.cube.value),)


def answer_double(
    state: TableState, command: cmd.Take | cmd.Drop, now_ms: int, seat: int
) -> Events:
    """Take or drop a double, a beaver or a raccoon; dropping costs the value before its last turn.

    Taking a beaver does not move the cube: it stays with the player who was offered the double.
    """
    permit(state, seat, "take" if isinstance(command, cmd.Take) else "drop")
    game = running_game(state)
    value = offered_value(game)
    if isinstance(command, cmd.Take):
        return (ev.DoubleTaken(at_ms=now_ms, seat=seat, value=value),)
    dropped = ev.DoubleDropped(at_ms=now_ms, seat=seat, value=value)
    return (dropped, *_dropped(state, game, seat, now_ms))


def _dropped(state: TableState, game: Game, seat: int, now_ms: int) -> Events:
    cost = points_for_dropping(game.cube, turns=game.cube_turns)
    return end_game(state, other(seat), 1, "double_dropped", now_ms, cube_value=cost)


def turn_again(
    state: TableState, command: cmd.Beaver | cmd.Raccoon, now_ms: int, seat: int
) -> Events:
    """Answer by turning the cube once more. Raises `MayNotDouble` if not allowed."""
    name = "beaver" if isinstance(command, cmd.Beaver) else "raccoon"
    permit(state, seat, name)
    game = running_game(state)
    event = ev.Beavered if name == "beaver" else ev.Raccooned
    return (event(at_ms=now_ms, seat=seat, value=2 * offered_value(game)),)


def offer_resignation(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    """Offer to give up the game at a level; the highest possible one is accepted at once.

    Raises `MayNotResign`.
    """
    permit(state, seat, "offer_resignation")
    game = running_game(state)
    if level not in resignable_levels(state):
        reason = why_not_at(state, game, level)
        raise MayNotResign(f"no resignation at level {level} now: {reason}", reason=reason)
    offered = ev.ResignationOffered(at_ms=now_ms, seat=seat, level=level)
    if level < resignable_levels(state)[-1]:
        return (offered,)
    # no level gives more, so there is no reason to refuse
    return (offered, *_accept(evolve(state, offered), level, now_ms, other(seat)))


def answer_resignation(
    state: TableState,
    command: cmd.AcceptResignation | cmd.RefuseResignation,
    now_ms: int,
    seat: int,
) -> Events:
    """Accept the resignation offered, or refuse it and play on."""
    refuses = isinstance(command, cmd.RefuseResignation)
    permit(state, seat, "refuse_resignation" if refuses else "accept_resignation")
    game = running_game(state)
    assert game.resignation is not None
    level = game.resignation.level
    if refuses:
        return (ev.ResignationRefused(at_ms=now_ms, seat=seat, level=level),)
    return _accept(state, level, now_ms, seat)


def _accept(state: TableState, level: int, now_ms: int, seat: int) -> Events:
    accepted = ev.ResignationAccepted(at_ms=now_ms, seat=seat, level=level)
    return (accepted, *end_game(state, seat, level, "resigned", now_ms))
