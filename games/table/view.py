"""The complete public view of a table, as every client gets it. Nothing in it is secret.

The form is part of the protocol (docs/protocol.md, "The view"), its types are
`games.table.view_types`.
"""

from functools import lru_cache
from typing import cast

import msgspec

from backgammon.rules.position import Position, Way
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.table import view_types
from games.table.absence import claim_ms
from games.table.rights import rights
from games.table.stakes import banks_of, stakes_ahead, stakes_of
from games.table.state import PLAYED_OUT, RUNNING_PHASES, Game, Match, MatchResult, TableState
from games.table.turn import (
    auto_roll_because,
    legal_plays,
    offered_value,
    refused_levels,
    resignable_levels,
)
from games.table.view_types import Board, Glance, View

Players = tuple[view_types.Person | None, view_types.Person | None]


def table_view(
    state: TableState,
    *,
    table: str = "",
    players: Players = (None, None),
    fair: view_types.FairView | None = None,
) -> View:
    """The view of the table now.

    The state does not have what the table is called, who its players are and what may be known of
    their dice: `table`, `players` and `fair` are shown as they are given. The last play and a
    resignation are those of the state, which encode alike.
    """
    game, match, terms = state.game, state.match, state.terms
    variant = state.variant
    board, pips = (
        _stands(game.position, variant.way, game.on_roll != 0)
        if game
        else _stands(variant.start, variant.way, False)
    )
    one, two = rights(state, 0), rights(state, 1)
    banks = banks_of(state)
    agreed, is_rated = _terms(terms)
    absent = (state.absences[0].since_ms is not None, state.absences[1].since_ms is not None)
    return View(
        table=table,
        match_id=match.id if match else None,
        set_up=match is not None and match.setup is not None,
        players=players,
        mode=terms.mode,
        variant=variant.key,
        way=variant.way.value,
        capture=variant.movement.capture,
        phase=state.phase,
        terms=agreed,
        rated=is_rated and (match is None or match.rated),
        match=match.number if match else 0,
        game=game.number if game else 0,
        score=match.score if match else (0, 0),
        banks_cents=banks.cents if banks else None,
        crawford=game.crawford if game else False,
        on_roll=game.on_roll if game and state.phase in RUNNING_PHASES else None,
        decider=state.decider,
        board=board,
        pips=pips,
        dice=game.dice if game else None,
        cube=_cube(game),
        last_play=cast("view_types.LastPlay | None", game and game.last_play),
        graph=_graph(state, game),
        actions=(one.actions, two.actions),
        why_not=(one.why_not, two.why_not),
        auto_roll_because=auto_roll_because(state),
        resignation=cast("view_types.Resignation | None", game and game.resignation),
        resignable_levels=resignable_levels(state),
        refused_levels=refused_levels(state),
        stakes=stakes_of(state),
        clock=_clock(state),
        ready=state.ready,
        rematch=state.rematch,
        next_game_ms=state.next_game_ms if state.phase == "between_games" else None,
        absent=absent,
        claim_ms=claim_ms(state) if any(absent) else None,
        result=_result(match) if match and (match.last_game or match.result) else None,
        successor=state.successor,
        fair=fair,
    )


def glance(state: TableState) -> Glance:
    """The part of the view that a board shows."""
    view = table_view(state)
    return Glance(**{name: getattr(view, name) for name in Glance.__struct_fields__})


@lru_cache(maxsize=1024)
def _terms(terms: Terms) -> tuple[view_types.TermsView, bool]:
    """The terms, and whether matches on them are rated."""
    ahead, mode = stakes_ahead(terms), mode_of(terms)
    agreed = view_types.TermsView(
        stake_cents=terms.stake_cents,
        rate_cents=terms.rate_cents,
        game_limit_cents=terms.game_limit_cents,
        limit_points=terms.limit_points,
        pot_cents=terms.pot_cents,
        rake_cents=ahead.rake_cents,
        winner_cents=terms.stake_cents + ahead.won_cents,
        most_lost_cents=ahead.lost_cents,
        contest=terms.contest,
        target_points=terms.target_points,
        games_max=terms.games_max,
        has_cube=terms.has_cube,
        cube_cap=terms.cube_cap,
        start_rule=terms.start_rule,
        rules=_rules(terms),
        clock=terms.clock,
        delay_ms=terms.delay_ms,
        reserve_ms=terms.reserve_ms,
        watchers=terms.watchers,
        practice=mode.is_practice,
    )
    return agreed, bool(mode.rated(terms))


def _rules(terms: Terms) -> tuple[str, ...]:
    """The optional rules that were agreed, by name."""
    agreed = {
        "crawford": terms.crawford,
        "holland": terms.holland,
        "jacoby": terms.jacoby,
        "beavers": terms.beavers,
        "raccoons": terms.raccoons,
        "auto_doubles": terms.auto_doubles_max > 0,
        "max_five": terms.max_stack > 0,
        "no_hit_and_run": terms.no_hit_and_run,
        "no_extra_roll": not terms.extra_roll,
    }
    return tuple(name for name, chosen in agreed.items() if chosen)


@lru_cache(maxsize=1024)  # a position is read again after the roll
def _stands(position: Position, way: Way, turned: bool) -> tuple[Board, tuple[int, int]]:
    """The board and the pips, both as seat 0 numbers the points."""
    position = position.turned(way) if turned else position
    return board_view(position), position.pips(way)


def board_view(position: Position) -> Board:
    """A position in the numbering of its first player."""
    return Board(
        points=position.points,
        bar=position.bar,
        off=position.off,
        hand=position.hand,
        pinned=position.pinned,
    )


def _graph(state: TableState, game: Game | None) -> view_types.Graph | None:
    if game is None or game.dice is None or state.phase != "play":
        return None
    return legal_plays(state, game, game.dice).graph.wire()


def _cube(game: Game | None) -> view_types.CubeView:
    if game is None:
        return view_types.CubeView(value=1, owner=None, offered_by=None)
    return view_types.CubeView(
        value=game.cube.value,
        owner=game.cube.owner,
        offered_by=game.double_offered_by,
        offered_value=offered_value(game) if game.cube_turns else None,
    )


def _clock(state: TableState) -> view_types.ClockView:
    clock = state.clock
    return view_types.ClockView(
        running=clock.running,
        since_ms=clock.since_ms if clock.running is not None else None,
        delay_left_ms=clock.delay_left_ms,
        reserve_ms=clock.reserve_ms,
        deadline_ms=clock.deadline_ms(),
    )


def _result(match: Match) -> view_types.ResultView:
    last, ended = match.last_game, match.result
    # a session ends with a game, or between two
    by_a_game = ended is None or ended.ending in PLAYED_OUT or bool(match.games)
    if ended is not None and (last is None or not ended.counts or not by_a_game):
        return view_types.ResultView(winner=ended.winner, match=_match_result(ended))
    assert last is not None, "a match that was played out has a last game"
    result = view_types.ResultView(
        winner=last.winner,
        points=last.points,
        level=last.level,
        cube=last.cube,
        ending=last.ending,
        score=last.score,
    )
    if ended is None:
        return result
    return msgspec.structs.replace(result, match=_match_result(ended))


def _match_result(ended: MatchResult) -> view_types.MatchResult:
    return view_types.MatchResult(
        winner=ended.winner,
        ending=ended.ending,
        points=ended.points,
        level=ended.level,
        cube=ended.cube,
        paid_cents=ended.paid_cents,
        rake_cents=ended.rake_cents,
        elo_before=ended.elo_before,
        elo_after=ended.elo_after,
    )
