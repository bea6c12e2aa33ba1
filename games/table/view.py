"""The complete public view of a table, as every client gets it. Nothing in it is secret.

The form is part of the protocol (docs/protocol.md, "The view").
"""

from functools import lru_cache
from typing import Any

from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.rules.plays import Wire
from games.rules.position import Position, Way
from games.rules.variant import Variant
from games.table.absence import claim_ms
from games.table.actions import actions, resignable_levels
from games.table.doubling import offered_value, why_no_double
from games.table.forfeit import forfeit_points
from games.table.plays import legal_plays
from games.table.state import PLAYED_OUT, RUNNING_PHASES, Game, GameResult, Match, TableState

View = dict[str, Any]


def table_view(state: TableState) -> View:
    """What can be seen of the table now; who the players are is added by who knows them."""
    game, match = state.game, state.match
    return {
        **glance(state),
        "graph": _graph(state, game),
        "actions": [list(actions(state, 0)), list(actions(state, 1))],
        "no_double": _no_double(state, game),
        "resignation": _resignation(game),
        "resignable_levels": list(resignable_levels(state)),
        "exposure": exposure(state),
        "leave_costs": _leave_costs(state),
        "clock": _clock(state),
        "ready": list(state.ready),
        "rematch": list(state.rematch),
        "next_game_ms": state.next_game_ms,
        "absent": [absence.since_ms is not None for absence in state.absences],
        "claim_ms": claim_ms(state),
        "result": _result(match),
        "successor": state.successor,
    }


def glance(state: TableState) -> View:
    """The part of the view that a board shows: nothing to choose, no clocks, no result."""
    game, match = state.game, state.match
    return {
        "mode": state.terms.mode,
        "variant": state.terms.variant,
        "way": state.variant.way.value,
        "capture": capture(state.variant),
        "phase": state.phase,
        "terms": _terms(state.terms),
        "rated": bool(mode_of(state.terms).rated(state.terms)) and (match is None or match.rated),
        "match": match.number if match else 0,
        "game": game.number if game else 0,
        "score": list(match.score) if match else [0, 0],
        "crawford": game.crawford if game else False,
        "on_roll": game.on_roll if game and state.phase in RUNNING_PHASES else None,
        "decider": state.decider,
        **_board(state, game),
        "last_play": _last_play(game),
    }


def capture(variant: Variant) -> str:
    """What happens to a single opposing checker: it is hit, it is pinned, or it blocks."""
    movement = variant.movement
    if movement.hits:
        return "hit"
    return "pin" if movement.pins else "block"


@lru_cache(maxsize=1024)
def _terms(terms: Terms) -> View:
    return {
        "stake_cents": terms.stake_cents,
        "rate_cents": terms.rate_cents,
        "limit_points": terms.limit_points,
        "pot_cents": terms.pot_cents,
        "rake_cents": terms.rake_cents,
        "winner_cents": terms.pot_cents - terms.rake_cents,
        "contest": terms.contest,
        "target_points": terms.target_points,
        "games_max": terms.games_max,
        "has_cube": terms.has_cube,
        "rules": _rules(terms),
        "clock": terms.clock,
        "delay_ms": terms.delay_ms,
        "reserve_ms": terms.reserve_ms,
        "watchers": terms.watchers,
        "practice": mode_of(terms).is_practice,
    }


def _rules(terms: Terms) -> list[str]:
    """The optional rules that were agreed, by name."""
    agreed = {
        "crawford": terms.crawford,
        "holland": terms.holland,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "raccoons": terms.raccoons,
        "auto_doubles": terms.auto_doubles_max > 0,
    }
    return [name for name, chosen in agreed.items() if chosen]


def _board(state: TableState, game: Game | None) -> View:
    way = state.variant.way
    if game is None:
        stands = _stands(state.variant.start, way, False)
    else:
        stands = _stands(game.position, way, game.on_roll != 0)
    return {
        **stands,
        "dice": list(game.dice) if game and game.dice else None,
        "cube": _cube(game),
    }


@lru_cache(maxsize=1024)  # a position is looked at again after the roll
def _stands(position: Position, way: Way, turned: bool) -> View:
    position = position.turned(way) if turned else position
    return {"board": board_view(position), "pips": list(position.pips(way))}


def board_view(position: Position) -> View:
    """A position as lists, in the numbering of its first player."""
    return {
        "points": list(position.points),
        "bar": list(position.bar),
        "off": list(position.off),
        "hand": list(position.hand),
        "pinned": sorted(position.pinned),
    }


def _graph(state: TableState, game: Game | None) -> Wire | None:
    if game is None or game.dice is None or state.phase != "play":
        return None
    return legal_plays(state.terms.variant, game, game.dice).graph.wire()


def _cube(game: Game | None) -> View:
    if game is None:
        return {"value": 1, "owner": None, "offered_by": None}
    return {
        "value": game.cube.value,
        "owner": game.cube.owner,
        "offered_by": game.double_offered_by,
        "offered_value": offered_value(game) if game.cube_turns else None,
    }


def _no_double(state: TableState, game: Game | None) -> str | None:
    if game is None or state.phase != "roll":
        return None
    reason = why_no_double(state, game.on_roll)
    return reason.value if reason else None


def _resignation(game: Game | None) -> View | None:
    if game is None or game.resignation is None:
        return None
    return {"seat": game.resignation.seat, "level": game.resignation.level}


def exposure(state: TableState) -> View | None:
    """What the running game is worth: now, after a take, and for a gammon.

    Points always; credits only where they are settled by the point, never beyond the limit.
    """
    game = state.game
    if game is None or state.phase not in RUNNING_PHASES:
        return None
    now = game.cube.value
    taken = offered_value(game) if game.cube_turns else 2 * now
    worth = {"now": now, "after_take": taken, "gammon": 2 * now, "backgammon": 3 * now}
    rate_cents, limit_cents = state.terms.rate_cents, state.terms.stake_cents
    if not rate_cents:
        return {"points": worth, "credits_cents": None}
    credits = {name: min(points * rate_cents, limit_cents) for name, points in worth.items()}
    return {"points": worth, "credits_cents": credits}


def _leave_costs(state: TableState) -> list[View] | None:
    """What leaving costs each seat now: the match for a prize, or the game at its largest score."""
    if state.phase not in RUNNING_PHASES or state.before_first_roll:
        return None
    return [_leave_cost(state, seat) for seat in (0, 1)]


def _leave_cost(state: TableState, seat: int) -> View:
    terms = state.terms
    if terms.contest != "game":
        return {"match": True, "points": None, "credits_cents": terms.stake_cents}
    points = forfeit_points(state, seat)
    cents = min(points * terms.rate_cents, terms.stake_cents)
    return {"match": False, "points": points, "credits_cents": cents}


def _clock(state: TableState) -> View:
    clock = state.clock
    running = clock.running is not None
    return {
        "running": clock.running,
        "since_ms": clock.since_ms if running else None,
        "delay_left_ms": list(clock.delay_left_ms),
        "reserve_ms": list(clock.reserve_ms),
        "deadline_ms": clock.deadline_ms(),
    }


def _last_play(game: Game | None) -> View | None:
    if game is None or game.last_play is None:
        return None
    last = game.last_play
    return {
        "seat": last.seat,
        "dice": list(last.dice),
        "moves": [list(move) for move in last.moves],
        "text": last.text,
    }


def _result(match: Match | None) -> View | None:
    if match is None or (match.last_game is None and match.result is None):
        return None
    result = _game_result(match.last_game) if match.last_game else {}
    if match.result is None:
        return result
    ended = match.result
    if not ended.counts or ended.ending not in PLAYED_OUT:
        result["winner"] = ended.winner
    return {
        **result,
        "match": {
            "winner": ended.winner,
            "ending": ended.ending,
            "points": ended.points,
            "level": ended.level,
            "cube": ended.cube,
            "paid_cents": list(ended.paid_cents) if ended.paid_cents else None,
            "rake_cents": ended.rake_cents,
            "elo_before": list(ended.elo_before) if ended.elo_before else None,
            "elo_after": list(ended.elo_after) if ended.elo_after else None,
        },
    }


def _game_result(result: GameResult) -> View:
    return {
        "winner": result.winner,
        "points": result.points,
        "level": result.level,
        "cube": result.cube,
        "ending": result.ending,
        "score": list(result.score),
    }
