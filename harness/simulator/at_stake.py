"""Whether what ends is what was shown: the stakes of every view against the ending that follows.

A `StakesShown` follows one table. It raises `Broken` if a game or a match ends in a way that was
not among the stakes shown before, or moves other points or credits than were shown for it.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from games.modes.terms import Terms
from games.table import events as ev
from games.table.stakes import Ahead, stakes_ahead, stakes_of
from games.table.state import Game, TableState
from games.table.view_types import Stakes, Worth
from harness.simulator.oracle import FORFEITS, Broken, require

NOTHING: Final = Worth(0, 0, False, (0, 0), 0, False)

#: endings of a game by its level on the board, whoever decides it.
BY_LEVEL: Final = frozenset({"borne_off", "resigned"})


class StakesShown:
    """The stakes of one table, as its players saw them."""

    def __init__(self) -> None:
        self.game: list[tuple[Game, Stakes]] = []
        #: what the games of a session have moved so far; None once administrators have decided.
        self.moved: Worth | None = NOTHING

    def commit(self, before: TableState, events: Iterable[ev.Event], after: TableState) -> None:
        """Compare what ended in this commit with what was shown before, then look again."""
        ended: ev.GameEnded | ev.MatchEnded | None = None
        worth: Worth | None = None
        for event in events:
            match event:
                case ev.GameEnded() | ev.MatchEnded() if event.ending == "adjudicated":
                    worth = None  # administrators may decide what the players cannot
                case ev.GameEnded():
                    ended, worth = event, self._game_worth(before, event)
                case ev.MatchEnded() if event.ending in FORFEITS and ended is None:
                    ended, worth = event, self._forfeit_worth(before, event)
                    require(worth.points == event.points, "leaving costs the points shown")
                case ev.MatchSettled() if worth is not None and not before.is_session:
                    _check_credits(before.terms, worth, event)
                case ev.TakenBack():
                    self.game.clear()
        if ended is not None and worth is not None:
            is_over = after.phase in ("over", "closed")
            require(worth.over == is_over, "it was shown whether this ends the match")
        if before.is_session:
            self._follow_session(before.terms, events, worth)
        self._look(after)

    def _follow_session(
        self, terms: Terms, events: Iterable[ev.Event], worth: Worth | None
    ) -> None:
        """A session pays what was shown for all of its games together."""
        for event in events:
            match event:
                case ev.MatchStarted():
                    self.moved = NOTHING
                case ev.GameEnded():
                    self.moved = _together(self.moved, worth)
                case ev.MatchSettled() if self.moved is not None:
                    _check_change(terms, self.moved, event)

    def _look(self, state: TableState) -> None:
        stakes, game = stakes_of(state), state.game
        if stakes is None or game is None or state.phase in ("between_games", "roll_off"):
            self.game.clear()
        elif not self.game or self.game[-1][1] is not stakes:
            self.game.append((game, stakes))

    def _game_worth(self, before: TableState, event: ev.GameEnded) -> Worth:
        worth = _worth_of(_shown(before), before, event)
        if before.is_session:
            most_cents = stakes_ahead(before.terms).rake_cents
            require(worth.rake_cents <= most_cents, "no game brings the house more than was told")
        require(worth.points == event.points, "a game gives the points shown")
        require((event.winner is None) or worth.level == event.level, "at the level shown")
        if event.ending in BY_LEVEL and event.winner is not None:
            for game, stakes in self.game:
                _check_earlier(game, stakes, before, event)
            _check_ahead(before, event)
        return worth

    def _forfeit_worth(self, before: TableState, event: ev.MatchEnded) -> Worth:
        require(event.winner is not None, "somebody wins when the other forfeits")
        worth = _shown(before).losses[1 - (event.winner or 0)].leave
        if worth is None:
            raise Broken("leaving was shown to cost nothing")
        return worth


def _shown(state: TableState) -> Stakes:
    stakes = stakes_of(state)
    if stakes is None:
        raise Broken("a running match shows its stakes")
    return stakes


def _worth_of(stakes: Stakes, before: TableState, event: ev.GameEnded) -> Worth:
    """The ending that was shown for this event."""
    if event.winner is None:
        return stakes.drawn
    losses = stakes.losses[1 - event.winner]
    if event.ending in FORFEITS:
        if losses.leave is None:
            raise Broken("leaving was shown to cost nothing")
        return losses.leave
    if event.ending == "double_dropped":
        if losses.drop is None:
            raise Broken("a drop was not shown")
        return losses.drop
    require(event.ending in BY_LEVEL, f"{event.ending} ends a game")
    levels = losses.levels
    if before.phase == "double_offered":
        levels = losses.taken  # the roll that followed the take ended it
    for worth in levels:
        if worth.level == event.level:
            return worth
    raise Broken(f"level {event.level} was not shown")


def _check_earlier(game: Game, stakes: Stakes, before: TableState, event: ev.GameEnded) -> None:
    """Require that what was shown earlier in the game held to its end, but for turned cubes."""
    losses, last = stakes.losses[1 - (event.winner or 0)], before.game
    if last is None:
        raise Broken("a game that ends has begun")
    if (game.cube.value, game.double_taken) == (last.cube.value, last.double_taken):
        found = losses.levels
    elif last.double_taken and event.cube == game.cube.value << max(1, game.cube_turns):
        found = losses.taken
    else:
        return
    require((event.level, event.points) in set(map(_row, found)), "shown before")


def _row(worth: Worth) -> tuple[int, int]:
    return worth.level, worth.points


def _check_ahead(before: TableState, event: ev.GameEnded) -> None:
    """Require that what was shown before sitting down holds until the first double."""
    ahead, match, game = stakes_ahead(before.terms), before.match, before.game
    if match is None or game is None or match.games_played or game.auto_doubles:
        return
    if event.cube == 1:
        require((event.level, event.points) in set(map(_row, ahead.levels)), "told before sitting")
    elif event.cube == 2:
        require((event.level, event.points) in set(map(_row, ahead.taken)), "told before sitting")


def _together(moved: Worth | None, worth: Worth | None) -> Worth | None:
    """Return what a session has moved after a game of this worth; None if it was not shown."""
    if moved is None or worth is None:
        return None
    (one, two), (more, less) = moved.change_cents, worth.change_cents
    rake_cents = moved.rake_cents + worth.rake_cents
    return replace(moved, change_cents=(one + more, two + less), rake_cents=rake_cents)


def _check_credits(terms: Terms, worth: Worth, event: ev.MatchSettled) -> None:
    change = _check_change(terms, worth, event)
    ahead = stakes_ahead(terms)
    require(event.rake_cents <= ahead.rake_cents, "nor does the house")
    if terms.contest != "game":
        _check_match_ahead(ahead, change, event)


def _check_change(terms: Terms, worth: Worth, event: ev.MatchSettled) -> tuple[int, int]:
    """The settlement moves what was shown, and no more than was told before sitting down."""
    one, two = (cents - terms.stake_cents for cents in event.paid_cents)
    require((one, two) == worth.change_cents, "credits move as shown")
    require(event.rake_cents == worth.rake_cents, "the rake is the one shown")
    ahead = stakes_ahead(terms)
    require(-min(one, two) <= ahead.lost_cents, "nobody loses more than was told before sitting")
    require(max(one, two) <= ahead.won_cents, "nobody gains more than was told before sitting")
    return one, two


def _check_match_ahead(ahead: Ahead, change: tuple[int, int], event: ev.MatchSettled) -> None:
    shown = [worth for worth in (ahead.win, ahead.tie) if worth is not None]
    told = {(*sorted(worth.change_cents), worth.rake_cents) for worth in shown}
    require((*sorted(change), event.rake_cents) in told, "a match pays what was told before")
