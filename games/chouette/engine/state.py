"""The state of a chouette, by replay of its events."""

from typing import Final, Literal

import msgspec

from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play
from backgammon.rules.plays import LegalPlays
from backgammon.rules.position import Position
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from games.chouette.engine import events as ev
from games.chouette.engine.terms import ChouetteTerms
from kit.events import Fold

Phase = Literal[
    "between_games",
    "roll_off",
    "team_decides",
    "box_answers",
    "team_answers_beavers",
    "box_doubles",
    "team_answers",
    "box_answers_beavers",
    "roll",
    "play",
    "over",
]

#: the game of every chouette.
VARIANT: Variant = by_key("backgammon")
_with = msgspec.structs.replace


class MemberCube(msgspec.Struct, frozen=True):
    """A member's cube against the box. `owner` None: in the middle.

    Once this member is out of the game `box_points` has what the box won from them, and `how`.
    """

    value: int = 1
    owner: ev.Side | None = None
    turned: bool = False
    box_points: int | None = None
    how: ev.How | None = None

    @property
    def settled(self) -> bool:
        """Whether this member is out of this game."""
        return self.how is not None


class ChouetteLastPlay(msgspec.Struct, frozen=True):
    """A play, with the dice it used; `moves` are in the mover's numbers."""

    side: ev.Side
    dice: tuple[int, int]
    moves: tuple[tuple[int, int, int], ...]
    text: str


class RunningGame(msgspec.Struct, frozen=True, kw_only=True):
    """A running game. `position` is seen by the side on roll.

    `decided` has what members answered to "double?" so far, `offered` the members whose cubes wait
    for an answer, `beavers` those whose beavers do. `doubled` has the cubes of those whom the box
    doubled last, as they were before; it is kept only for the rule of the lone taker. `roll_off`
    are the last dice for who begins, of box and captain.
    """

    number: int
    order: tuple[int, ...]
    position: Position
    on_roll: ev.Side = "team"
    cubes: dict[int, MemberCube]
    turns: tuple[int, int] = (0, 0)
    dice: tuple[int, int] | None = None
    decided: dict[int, bool] = {}
    offered: tuple[int, ...] = ()
    beavers: tuple[int, ...] = ()
    doubled: dict[int, MemberCube] = {}
    roll_off: tuple[int, int] | None = None
    last_play: ChouetteLastPlay | None = None

    @property
    def box(self) -> int:
        """The player who plays alone."""
        return self.order[0]

    @property
    def team(self) -> tuple[int, ...]:
        """The captain who began, and the crew, as long as they sit here."""
        return self.order[1:]

    @property
    def active(self) -> tuple[int, ...]:
        """The members who are still in this game, in the order of the list."""
        return tuple(player for player in self.team if not self.cubes[player].settled)

    @property
    def captain(self) -> int | None:
        """The member who moves for the team: the first who is still in it."""
        return next(iter(self.active), None)


PairPoints = tuple[int, int, int]
"""Two players and the points that the first has won from the second."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that follows from the events.

    `order` is the list for the next game, `joining` those who come to its end, `last_game` the one
    that ended last, None after a voided one. `points` has each
    pair, the smaller id first, with what the first has won from the second, by the ids.
    """

    terms: ChouetteTerms
    phase: Phase = "between_games"
    order: tuple[int, ...] = ()
    joining: tuple[int, ...] = ()
    games: int = 0
    game: RunningGame | None = None
    last_game: RunningGame | None = None
    points: tuple[PairPoints, ...] = ()

    @property
    def people(self) -> tuple[int, ...]:
        """Everybody at the table."""
        return (*self.order, *self.joining)

    def balance(self, player: int) -> int:
        """The points of a player against all others; those of everybody sum to zero."""
        won = sum(points for one, _, points in self.points if one == player)
        return won - sum(points for _, two, points in self.points if two == player)


#: the state after an event.
evolve: Final = Fold[State]()


@evolve.on(ev.SatDown)
def _sat_down(state: State, event: ev.SatDown) -> State:
    return _with(state, joining=(*state.joining, event.player))


@evolve.on(ev.StoodUp)
def _stood_up(state: State, event: ev.StoodUp) -> State:
    """Without this player; in a running game the list goes on without them."""
    order = tuple(each for each in state.order if each != event.player)
    joining = tuple(each for each in state.joining if each != event.player)
    return _with(state, order=order, joining=joining)


@evolve.on(ev.ChouetteGameStarted)
def _game_started(state: State, event: ev.ChouetteGameStarted) -> State:
    game = RunningGame(
        number=event.game,
        order=event.order,
        position=VARIANT.start,
        cubes={player: MemberCube() for player in event.order[1:]},
    )
    return _with(
        state, phase="roll_off", order=event.order, joining=(), games=event.game, game=game
    )


@evolve.on(ev.ChouetteGameEnded)
def _game_ended(state: State, event: ev.ChouetteGameEnded) -> State:
    state = _with(state, last_game=state.game, game=None)
    return _with(state, phase="between_games", order=event.order, joining=())


@evolve.on(ev.GameVoided)
def _game_voided(state: State, event: ev.GameVoided) -> State:
    """Between two games, as if the running one had never begun; its points are taken back."""
    game, points = _running(state), state.points
    for member, cube in game.cubes.items():
        if cube.box_points is not None:
            points = _won(points, game.box, member, -cube.box_points)
    return _with(
        state,
        phase="between_games",
        order=event.order,
        joining=(),
        game=None,
        last_game=None,
        points=points,
    )


@evolve.on(ev.BoxRolledOff)
def _box_rolled_off(state: State, event: ev.BoxRolledOff) -> State:
    box, team = event.box, event.team
    game = _with(_running(state), roll_off=(box, team))
    if box == team:
        return _with(state, game=game)
    starts: ev.Side = "box" if box > team else "team"
    dice = (max(box, team), min(box, team))
    return _with(state, phase="play", game=_with(game, on_roll=starts, dice=dice))


@evolve.on(ev.Rolled)
def _rolled(state: State, event: ev.Rolled) -> State:
    return _with(state, phase="play", game=_with(_running(state), dice=event.dice))


@evolve.on(ev.MemberDecided)
def _member_decided(state: State, event: ev.MemberDecided) -> State:
    game = _running(state)
    return _with(state, game=_with(game, decided={**game.decided, event.player: event.doubles}))


@evolve.on(ev.TeamDoubled)
def _team_doubled(state: State, event: ev.TeamDoubled) -> State:
    phase: Phase = "box_answers" if event.players else "roll"
    return _with(state, phase=phase, game=_with(_running(state), decided={}, offered=event.players))


@evolve.on(ev.BoxDoubled)
def _box_doubled(state: State, event: ev.BoxDoubled) -> State:
    game = _running(state)
    phase: Phase = "team_answers" if event.players else "roll"
    if state.terms.lone_taker_beavers:
        game = _with(game, doubled={each: game.cubes[each] for each in event.players})
    return _with(state, phase=phase, game=_with(game, offered=event.players))


@evolve.on(ev.TakeReturned)
def _take_returned(state: State, event: ev.TakeReturned) -> State:
    game = _running(state)
    cubes = {**game.cubes, event.player: game.doubled[event.player]}
    return _with(
        state, phase="team_answers", game=_with(game, cubes=cubes, offered=(event.player,))
    )


@evolve.on(ev.BeaverAnswered)
def _beaver_answered(state: State, event: ev.BeaverAnswered) -> State:
    game = _running(state)
    left = tuple(each for each in game.beavers if each != event.player)
    state = _with(state, game=_with(game, beavers=left))
    if event.accepts:
        state = _cube(state, event.player, value=2 * game.cubes[event.player].value)
    return _cubes_done(state)


def _running(state: State) -> RunningGame:
    assert state.game is not None, "a game is running"
    return state.game


@evolve.on(ev.Settled)
def _settled(state: State, event: ev.Settled) -> State:
    """The member is out of this game, and nothing waits for them any more."""
    player = event.player
    state = _with(state, points=_won(state.points, event.box, player, event.box_points))
    state = _cube(state, player, box_points=event.box_points, how=event.how)
    game = _running(state)
    offered = tuple(each for each in game.offered if each != player)
    beavers = tuple(each for each in game.beavers if each != player)
    if (offered, beavers) == (game.offered, game.beavers):
        return state
    return _cubes_done(_with(state, game=_with(game, offered=offered, beavers=beavers)))


@evolve.on(ev.CubeAnswered)
def _cube_answered(state: State, event: ev.CubeAnswered) -> State:
    """Take in the answer to one double; a beaver doubles once more when it is accepted."""
    game, player = _running(state), event.player
    cube = game.cubes[player]
    left = tuple(each for each in game.offered if each != player)
    taker: ev.Side = "team" if game.on_roll == "box" else "box"
    beavers = (*game.beavers, player) if event.answer == "beaver" else game.beavers
    state = _with(state, game=_with(game, offered=left, beavers=beavers))
    if event.answer != "drop":
        state = _cube(state, player, value=2 * cube.value, owner=taker, turned=True)
    return _cubes_done(state)


def _cubes_done(state: State) -> State:
    """Go on to what is due: the next answer, the beavers, the roll."""
    game = _running(state)
    if game.offered:
        return state
    if game.beavers:
        team_doubled = game.on_roll == "team"
        phase: Phase = "team_answers_beavers" if team_doubled else "box_answers_beavers"
        return _with(state, phase=phase)
    return _with(state, phase="roll")


@evolve.on(ev.Played)
def _played(state: State, event: ev.Played) -> State:
    """The board after a play, seen by the other side, who is on roll now."""
    game, moves = _running(state), event.moves
    assert game.dice is not None, "dice lie on the board"
    after = position_after(game, moves)
    turns = list(game.turns)
    turns[game.on_roll == "team"] += 1
    over = VARIANT.ending(after) is not None
    other: ev.Side = "team" if game.on_roll == "box" else "box"
    game = _with(
        game,
        position=after if over else after.turned(VARIANT.way),
        on_roll=game.on_roll if over else other,
        turns=(turns[0], turns[1]),
        last_play=ChouetteLastPlay(game.on_roll, game.dice, moves, moves_text(game, moves)),
        dice=None,
    )
    if over:
        return _with(state, phase="over", game=game)
    return _with(state, phase="team_decides" if other == "team" else "box_doubles", game=game)


def position_plays(game: RunningGame) -> LegalPlays:
    """The legal plays of the dice on the board."""
    assert game.dice is not None, "dice lie on the board"
    return VARIANT.plays_from(game.position, game.dice, first_turn=sum(game.turns) == 0)


def position_after(game: RunningGame, moves: tuple[tuple[int, int, int], ...]) -> Position:
    """The position after a play, in the mover's view. Raises `IllegalPlay`."""
    return position_plays(game).graph.follow([Move(*move) for move in moves])


def moves_text(game: RunningGame, moves: tuple[tuple[int, int, int], ...]) -> str:
    """A play in the notation of match files, in the mover's numbers."""
    return format_play(VARIANT, game.position, [Move(*move) for move in moves])


def _cube(state: State, player: int, **changes: object) -> State:
    game = _running(state)
    if player not in game.cubes:
        return state
    cube = _with(game.cubes[player], **changes)
    return _with(state, game=_with(game, cubes={**game.cubes, player: cube}))


def _won(
    points: tuple[PairPoints, ...], winner: int, loser: int, won: int
) -> tuple[PairPoints, ...]:
    one, two = sorted((winner, loser))
    by_pair = {(first, second): known for first, second, known in points}
    by_pair[one, two] = by_pair.get((one, two), 0) + (won if one == winner else -won)
    return tuple((*pair, known) for pair, known in sorted(by_pair.items()))
