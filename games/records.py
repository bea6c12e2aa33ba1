"""From what happened at a table to the record of one match, ready for any file format."""

import datetime
from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatchmethod
from typing import Final

from backgammon.formats.record import (
    Action,
    CubeAction,
    CubeVerb,
    Ending,
    GameRecord,
    Heading,
    MatchRecord,
    RecordedTurn,
    Resignation,
    Result,
    Stakes,
)
from backgammon.rules.match import FormatKind
from backgammon.rules.moves import Move
from backgammon.rules.position import Position
from games.modes.registry import mode_of
from games.modes.terms import Terms, cube_rules_of, options_of
from games.table import events as ev
from games.table.state import PLAYED_OUT

KINDS: Final = {
    "points": FormatKind.POINTS,
    "games": FormatKind.GAMES,
    "game": FormatKind.UNLIMITED,
    "session": FormatKind.UNLIMITED,
}
ENDINGS: Final = {
    "borne_off": Ending.BOARD,
    "double_dropped": Ending.DROP,
    "resigned": Ending.RESIGNATION,
    "left": Ending.LEFT,
    "time_over": Ending.TIME,
    "absent": Ending.TIME,
    "adjudicated": Ending.ADJUDICATED,
}


def record_of(
    events: Iterable[ev.Event], *, terms: Terms, players: tuple[str, str], site: str = ""
) -> MatchRecord:
    """The record of the match of these events: from its `MatchStarted` up to the next one.

    A game that was never finished (the match was voided, somebody stood up, or it is still being
    played) has no result. Dates and times are UTC. Raises `ValueError` if no match starts in it.
    """
    teller = _Teller(terms)
    heading: Heading | None = None
    for event in events:
        if isinstance(event, ev.MatchStarted):
            if heading is not None:
                break
            heading = _heading(event, terms, site)
        elif heading is not None:
            teller.tell(event)
    if heading is None:
        raise ValueError("no match starts in these events")
    settled = teller.settled
    if settled is not None:
        heading = replace(heading, elo=settled.elo_before)
    heading = replace(heading, other=_outcome(teller.outcome, players))
    return MatchRecord(
        players=players,
        kind=KINDS[terms.contest],
        length={"points": terms.target_points, "games": terms.games_max}.get(terms.contest, 0),
        games=tuple(teller.told()),
        has_cube=terms.has_cube,
        rules=cube_rules_of(terms),
        options=options_of(terms),
        heading=heading,
        stakes=_stakes(terms, settled),
    )


def _heading(started: ev.MatchStarted, terms: Terms, site: str) -> Heading:
    at = datetime.datetime.fromtimestamp(started.at_ms / 1000, tz=datetime.UTC)
    return Heading(
        site=site,
        match_id=started.match,
        event=terms.mode,
        round=str(started.number),
        date=at.date(),
        time=datetime.time(at.hour, at.minute),
        unrated=not (started.rated and mode_of(terms).rated(terms)),
    )


def _stakes(terms: Terms, settled: ev.MatchSettled | None) -> Stakes | None:
    """The stakes and the rake; before the settlement the rake is zero."""
    if not terms.stake_cents:
        return None
    rake_cents = settled.rake_cents if settled is not None else 0
    return Stakes(terms.stake_cents, rake_cents, point_cents=terms.rate_cents)


def _outcome(
    outcome: ev.MatchEnded | ev.MatchVoided | None, players: tuple[str, str]
) -> tuple[tuple[str, str], ...]:
    """The winner of a match that was not played to its end, and the reason."""
    if isinstance(outcome, ev.MatchVoided):
        return (("Match Ending", outcome.reason),)
    if outcome is None or outcome.ending in PLAYED_OUT:
        return ()
    winner = "nobody" if outcome.winner is None else players[outcome.winner]
    return (("Match Ending", outcome.ending), ("Match Winner", winner))


class _Teller:
    """Collects games; `settled` is what the settlement said, `outcome` how the match ended."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.format = mode_of(terms).match_format(terms)
        self.settled: ev.MatchSettled | None = None
        self.outcome: ev.MatchEnded | ev.MatchVoided | None = None
        self._games: list[GameRecord] = []
        self._game: GameRecord | None = None
        self._actions: list[Action] = []
        self._score = (0, 0)
        self._rolled: ev.DiceRolled | None = None
        self._placed: ev.PositionSet | None = None

    def told(self) -> list[GameRecord]:
        """The games so far; the one being played has no result."""
        return [*self._games, *([self._closed(None)] if self._game is not None else [])]

    def _closed(self, result: Result | None) -> GameRecord:
        assert self._game is not None, "no game has begun"
        left = self._rolled
        unplayed = () if left is None else (RecordedTurn(left.seat, left.dice, None),)
        actions = self._actions
        if unplayed and actions and isinstance(actions[-1], Resignation):
            # the dice fell before their owner gave up
            return replace(
                self._game, actions=(*actions[:-1], *unplayed, actions[-1]), result=result
            )
        return replace(self._game, actions=(*actions, *unplayed), result=result)

    def _cube(self, seat: int, verb: CubeVerb, value: int) -> None:
        self._actions.append(CubeAction(seat, verb, value))

    @singledispatchmethod
    def tell(self, event: ev.Event) -> None:
        """Add one event; events that a record does not contain are ignored."""

    @tell.register
    def _(self, event: ev.PositionSet) -> None:
        self._placed, self._score = event, event.score

    @tell.register
    def _(self, event: ev.GameStarted) -> None:
        variant = self.format.variant_of(event.game - 1)
        self._game = GameRecord(variant.key, score=self._score, crawford=event.crawford)
        if self._placed is not None and event.game == 1:
            self._game = replace(
                self._game,
                start=Position.parse(self._placed.position),
                cube_value=self._placed.cube_value,
                cube_owner=self._placed.cube_owner,
            )
        self._actions, self._rolled = [], None

    @tell.register
    def _(self, event: ev.RolledOff) -> None:
        assert self._game is not None, "no game has begun"
        self._game = replace(self._game, cube_value=event.cube)

    @tell.register
    def _(self, event: ev.DiceRolled) -> None:
        self._rolled = event

    @tell.register
    def _(self, event: ev.PlayMade) -> None:
        moves = tuple(Move(*move) for move in event.moves)
        self._actions.append(RecordedTurn(event.seat, event.dice, moves))
        self._rolled = None

    @tell.register
    def _(self, event: ev.DoubleOffered) -> None:
        self._cube(event.seat, CubeVerb.DOUBLE, event.value)

    @tell.register
    def _(self, event: ev.Beavered) -> None:
        self._cube(event.seat, CubeVerb.BEAVER, event.value)

    @tell.register
    def _(self, event: ev.Raccooned) -> None:
        self._cube(event.seat, CubeVerb.RACCOON, event.value)

    @tell.register
    def _(self, event: ev.DoubleTaken) -> None:
        self._cube(event.seat, CubeVerb.TAKE, event.value)

    @tell.register
    def _(self, event: ev.DoubleDropped) -> None:
        self._cube(event.seat, CubeVerb.DROP, event.value)

    @tell.register
    def _(self, event: ev.ResignationAccepted) -> None:
        self._actions.append(Resignation(1 - event.seat, event.level, accepted=True))

    @tell.register
    def _(self, event: ev.ResignationRefused) -> None:
        self._actions.append(Resignation(1 - event.seat, event.level, accepted=False))

    @tell.register
    def _(self, event: ev.GameEnded) -> None:
        result = Result(event.winner, event.points, ENDINGS[event.ending])
        self._games.append(self._closed(result))
        self._game, self._rolled, self._score = None, None, event.score

    @tell.register
    def _(self, event: ev.MatchEnded) -> None:
        self.outcome = event
        if self._game is None or event.winner is None:
            return
        result = Result(event.winner, self._forfeited(event), ENDINGS[event.ending])
        self._games.append(self._closed(result))
        self._game, self._rolled = None, None

    def _forfeited(self, event: ev.MatchEnded) -> int:
        """The points of the game in which a match was lost as a whole.

        A game that stands alone has its points; in a match to points the winner gets the points
        they still needed, in a series of games this one counts single.
        """
        assert event.winner is not None, "a match that is lost has a winner"
        if self.terms.contest == "points":
            return self.terms.target_points - event.score[event.winner]
        return event.points or 1

    @tell.register
    def _(self, event: ev.MatchVoided) -> None:
        self.outcome = event

    @tell.register
    def _(self, event: ev.MatchSettled) -> None:
        self.settled = event
