"""The person who has a decision, from the state alone."""

from backgammon.rules.cube import Cube as PlainCube
from backgammon.rules.cube import may_beaver
from backgammon.rules.scoring import leave_level, leave_points
from games.chouette.engine import events as ev
from games.chouette.engine.state import VARIANT, RunningGame, State
from games.chouette.engine.terms import DOUBLED_LEAST, ChouetteTerms


def doublers(state: State) -> tuple[int, ...]:
    """The members who can double now: their cube is theirs or in the middle.

    The one cube of a team is turned by its captain.
    """
    able = _with_cube(state, "team") if state.phase == "team_decides" else ()
    return able[:1] if state.terms.one_cube else able


def undecided(state: State) -> tuple[int, ...]:
    """The members who still decide about a double."""
    return tuple(each for each in doublers(state) if state.game and each not in state.game.decided)


def doubled_by_box(state: State) -> tuple[int, ...]:
    """The members whom the box can double now."""
    return _with_cube(state, "box") if state.phase == "box_doubles" else ()


def lone_taker(state: State) -> int | None:
    """The member who beavers or drops: all others whom the box doubled with them are out."""
    game = state.game
    if game is None or state.phase != "team_answers" or len(game.offered) != 1:
        return None
    (player,) = game.offered
    others = [each for each in game.doubled if each != player]
    alone = all(game.cubes[each].settled for each in others)
    return player if alone and lone_rule_holds(state, player) else None


def may_end_alone(state: State) -> bool:
    """Whether the member who answers now may be asked again after a take: nobody else plays on."""
    game = state.game
    if game is None or state.phase != "team_answers":
        return False
    player, *_ = game.offered
    others = [each for each in game.doubled if each != player]
    free = all(each in game.offered or game.cubes[each].settled for each in others)
    return free and lone_rule_holds(state, player)


def lone_rule_holds(state: State, player: int) -> bool:
    """Whether a lone taker would have to beaver: enough were doubled, and the cube may rise."""
    game = state.game
    if game is None or len(game.doubled) < DOUBLED_LEAST or player not in game.doubled:
        return False
    cube = PlainCube(game.doubled[player].value)
    return may_beaver(cube, state.terms.cube_rules, is_match=False)


def mover_of(game: RunningGame) -> int | None:
    """The player who moves for the side on roll."""
    return game.box if game.on_roll == "box" else game.captain


def waited_for(state: State) -> tuple[int, ...]:
    """The people whose decision is due."""
    game = state.game
    if game is None:
        return ()
    match state.phase:
        case "team_decides":
            return undecided(state)
        case "box_answers" | "box_doubles" | "box_answers_beavers":
            return (game.box,)
        case "team_answers_beavers":
            return game.beavers
        case "team_answers":
            return game.offered[:1]
        case "play":
            return () if (mover := mover_of(game)) is None else (mover,)
    return ()


def may_advise(state: State, player: int) -> bool:
    """Whether this member may advise the captain on the play that is due."""
    game = state.game
    if game is None or state.phase != "play" or game.on_roll != "team":
        return False
    if player not in game.active or player == game.captain:
        return False
    consulting = state.terms.consulting
    return consulting == "always" or (consulting == "own_cube" and game.cubes[player].turned)


def may_confer(state: State, player: int) -> bool:
    """Whether this member may write to the crew: who may advise now, and the captain who asks."""
    game = state.game
    if game is None or state.terms.consulting == "never":
        return False
    asks = state.phase == "play" and game.on_roll == "team" and player == game.captain
    return asks or may_advise(state, player)


def crew_of(state: State) -> tuple[int, ...]:
    """The people who read what is written to the crew: the team of this game, as they sit."""
    game = state.game
    return () if game is None else tuple(each for each in game.team if each in state.people)


def _with_cube(state: State, side: ev.Side) -> tuple[int, ...]:
    """The members in the game whose cubes this side may turn; nobody does before the first play."""
    game = state.game
    if game is None or not sum(game.turns):
        return ()
    return tuple(
        each
        for each in game.active
        if game.cubes[each].owner in (None, side)
        and 2 * game.cubes[each].value <= state.terms.cube_cap
        and not _is_dead(state, game.cubes[each].value)
    )


def _is_dead(state: State, value: int) -> bool:
    """Whether a plain win at this cube reaches the limit already, as at tables for two."""
    return 0 < state.terms.limit_points <= value


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
