"""The price of leaving a running game."""

from backgammon.rules.scoring import leave_level, leave_points
from games.chouette.engine import events as ev
from games.chouette.engine.state import VARIANT, RunningGame, State
from games.chouette.engine.terms import ChouetteTerms


def most_to_lose(terms: ChouetteTerms, game: RunningGame, member: int, side: ev.Side) -> int:
    """The most points that this side can still lose in its game between this member and the box."""
    cube = game.cubes[member]
    mine = game.position if game.on_roll == side else game.position.turned(VARIANT.way)
    level = leave_level(VARIANT, mine, jacoby=terms.jacoby, double_taken=cube.turned)
    answers = member in game.offered and game.on_roll != side
    return terms.counted(leave_points(cube.value, level, answers_double=answers))


def leaving_costs(state: State, player: int) -> tuple[int, ...]:
    """The points that a player would lose by standing up now, one number for each opponent."""
    game = state.game
    if game is None:
        return ()
    if player == game.box:
        return tuple(most_to_lose(state.terms, game, each, "box") for each in game.active)
    if player in game.active:
        return (most_to_lose(state.terms, game, player, "team"),)
    return ()
