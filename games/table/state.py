"""The state of a table: the result of all events so far. Values only; no decisions.

Its clock: each turn has a free delay; time beyond it comes out of the player's reserve for the
match (the rule of the United States tournament clock). The clock of the player who owes a decision
runs, so while a double waits for its answer the answering player's time runs. Rolling does not
restart it. "Now" is always an argument.
"""

from functools import lru_cache
from typing import Final, Literal

import msgspec

from backgammon.rules.cube import Cube
from backgammon.rules.match import MatchFormat, MatchScore
from backgammon.rules.position import Position
from backgammon.rules.start import StartRule
from backgammon.rules.variant import Variant
from backgammon.rules.variants import by_key
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes import Games
from games.table.errors import MatchOver, NotSeated, WrongPhase
from games.table.setup import Setup

Seat = int


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """Time left per seat, and since when whose time runs."""

    delay_left_ms: tuple[int, int]
    reserve_ms: tuple[int, int]
    running: Seat | None = None
    since_ms: int = 0

    @classmethod
    def full(cls, delay_ms: int, reserve_ms: int) -> "Clock":
        """Both seats with all of their time, and nobody's running."""
        return cls(delay_left_ms=(delay_ms, delay_ms), reserve_ms=(reserve_ms, reserve_ms))

    def deadline_ms(self) -> int | None:
        """When the running player's reserve ends; None while neither clock runs."""
        if self.running is None:
            return None
        seat = self.running
        return self.since_ms + self.delay_left_ms[seat] + self.reserve_ms[seat]

    def stopped(self, now_ms: int) -> "Clock":
        """The clock stopped, with the time until now charged to the side that was running."""
        if self.running is None:
            return self
        seat = self.running
        elapsed_ms = max(0, now_ms - self.since_ms)
        from_delay_ms = min(elapsed_ms, self.delay_left_ms[seat])
        from_reserve_ms = min(elapsed_ms - from_delay_ms, self.reserve_ms[seat])
        return msgspec.structs.replace(
            self,
            delay_left_ms=_less(self.delay_left_ms, seat, from_delay_ms),
            reserve_ms=_less(self.reserve_ms, seat, from_reserve_ms),
            running=None,
            since_ms=now_ms,
        )

    def started(self, seat: Seat, now_ms: int, *, fresh_delay_ms: int | None = None) -> "Clock":
        """The clock with this seat's time running from now; with a new delay in a new turn."""
        clock = self.stopped(now_ms)
        delays = clock.delay_left_ms
        if fresh_delay_ms is not None:
            delays = (fresh_delay_ms, delays[1]) if seat == 0 else (delays[0], fresh_delay_ms)
        return msgspec.structs.replace(clock, delay_left_ms=delays, running=seat, since_ms=now_ms)

    def resumed(self, seat: Seat, now_ms: int) -> "Clock":
        """The clock with this seat's time running, from now if neither side's ran."""
        return self if self.running is not None else self.started(seat, now_ms)

    def credited(self, began_ms: int, ended_ms: int, grace_ms: int) -> "Clock":
        """The clock after the house was down: that time is not charged, and a grace is added."""
        if self.running is None or ended_ms <= self.since_ms:
            return self
        lost_ms = ended_ms - max(began_ms, self.since_ms)
        return msgspec.structs.replace(
            self,
            since_ms=self.since_ms + lost_ms,
            delay_left_ms=_less(self.delay_left_ms, self.running, -grace_ms),
        )


def _less(pair: tuple[int, int], seat: Seat, amount: int) -> tuple[int, int]:
    return (pair[0] - amount, pair[1]) if seat == 0 else (pair[0], pair[1] - amount)


Phase = Literal[
    "open",
    "roll_off",
    "roll",
    "rolling",
    "name_double",
    "play",
    "double_offered",
    "resignation_offered",
    "between_games",
    "over",
    "closed",
]

#: a table between two games starts the next one by itself after this time.
NEXT_GAME_MS: Final = 10_000

#: a session whose players are not both ready after this time ends: silence costs nobody a game.
SESSION_PAUSE_MS: Final = 60_000

#: after this much absence on one's own turns in a game the opponent may claim the win.
ABSENCE_MS: Final = 120_000

#: time to come back after the house was down.
GRACE_MS: Final = 60_000

#: a table whose match is over closes by itself after this time without a rematch.
REST_MS: Final = 15 * 60_000


def other(seat: int) -> int:
    """The opposite seat."""
    return 1 - seat


class Resignation(msgspec.Struct, frozen=True, kw_only=True):
    """A resignation that waits for its answer."""

    seat: int
    level: int


class LastPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The play that was made last, in the numbering of the seat that made it."""

    seat: int
    dice: tuple[int, ...]
    moves: tuple[tuple[int, int, int], ...]
    text: str


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the last game ended."""

    winner: int | None
    points: int
    level: int
    cube: int
    ending: str
    score: tuple[int, int]


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """How the match ended; the figures are filled in when it has been settled.

    `level` and `cube` make the points where administrators decided a game; else they are 0.
    """

    winner: int | None
    ending: str
    points: int = 0
    level: int = 0
    cube: int = 0
    counts: bool = True
    paid_cents: tuple[int, int] | None = None
    rake_cents: int | None = None
    elo_before: tuple[str, str] | None = None
    elo_after: tuple[str, str] | None = None


class DiceAsked(msgspec.Struct, frozen=True, kw_only=True):
    """A roll that has been decided on and waits for the players' parts until `due_ms`."""

    auto: bool
    due_ms: int


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """The rolls that follow in the same turn if everything before was played in full."""

    rolls: tuple[tuple[int, int], ...] = ()
    choose_double: bool = False
    roll_again: bool = False


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One game. `position` is as the player on roll sees it.

    `starter` is None until a roll-off has decided it; then `on_roll` is the opener, who requests
    it. `cube_turns` counts the turns of a cube that waits for its answer: 1 after a double, 2
    after a beaver, 3 after a raccoon. `flow` is what the variant still gives in this turn.
    """

    number: int
    starter: int | None
    crawford: bool
    position: Position
    on_roll: int
    cube: Cube
    turns: tuple[int, int] = (0, 0)
    dice: tuple[int, ...] | None = None
    dice_asked: DiceAsked | None = None
    auto_doubles: int = 0
    flow: Flow = Flow()
    in_flow: bool = False
    double_offered_by: int | None = None
    cube_turns: int = 0
    double_taken: bool = False
    resignation: Resignation | None = None
    refused_level: int = 0
    last_play: LastPlay | None = None


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """How a game stood before a play, after event `seq`: what taking it back leads to."""

    seq: int
    game: Game


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """One match: games until it is over by its mode.

    `setup` is the position from which its first game began, where that was set up; `checkpoints`
    has, in practice alone, the moment before each seat's last play. `games` has, in a
    session alone, the winner and the points of every game.
    """

    id: str
    number: int
    rated: bool = True
    rated_games: int | None = None
    score: tuple[int, int] = (0, 0)
    crawford_played: bool = False
    games_played: int = 0
    games: Games = ()
    rolls: int = 0
    game: Game | None = None
    last_game: GameResult | None = None
    result: MatchResult | None = None
    setup: Setup | None = None
    checkpoints: tuple[Checkpoint | None, Checkpoint | None] = (None, None)


class Absence(msgspec.Struct, frozen=True, kw_only=True):
    """How long a seat was away on its own turns of this game, and since when it is away now."""

    since_ms: int | None = None
    used_ms: int = 0


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """A table. `seq` is the number of the last event it has taken in."""

    seq: int = 0
    phase: Phase = "closed"
    terms: Terms = Terms()
    seats: tuple[int | None, int | None] = (None, None)
    match: Match | None = None
    clock: Clock = Clock(delay_left_ms=(0, 0), reserve_ms=(0, 0))
    ready: tuple[bool, bool] = (False, False)
    rematch: tuple[bool, bool] = (False, False)
    next_game_ms: int | None = None
    absences: tuple[Absence, Absence] = (Absence(), Absence())
    credited_until_ms: int = 0
    successor: str | None = None
    """The table that was opened in place of this one, because the guest stood up."""

    @property
    def variant(self) -> Variant:
        """The rules of the game that runs or was played last; before the first, of that one."""
        if not self.terms.series:
            return by_key(self.terms.variant)  # whichever game it is
        game = self.game
        return variant_of(self.terms, game.number if game else 1)

    @property
    def start_rule(self) -> StartRule:
        """How the beginner of the game is found that waits for its first roll or begins next.

        Where the winner starts, a game with no winner before it begins as its variant has it.
        """
        rule, game = self.terms.start, self.game
        if rule is not StartRule.WINNER_STARTS or game is None or game.starter is not None:
            return rule
        return self.variant.start_rule

    @property
    def game(self) -> Game | None:
        """The game that is being played or was played last, if any."""
        return self.match.game if self.match else None

    @property
    def decider(self) -> int | None:
        """The seat that owes a decision now; None if neither does."""
        game = self.game
        if game is None or self.phase not in DECISION_PHASES:
            return None
        if self.phase == "double_offered":
            doubler = game.double_offered_by
            if doubler is None:
                return None  # just dropped: the end of the game is the next event
            return doubler if game.cube_turns == 2 else other(doubler)
        if self.phase == "resignation_offered":
            if game.resignation is None:
                return None  # just accepted: the end of the game is the next event
            return other(game.resignation.seat)
        return game.on_roll

    @property
    def before_first_roll(self) -> bool:
        """Whether a match has begun and no dice have fallen in it yet."""
        waits = self.phase in ("roll", "roll_off")
        return waits and self.match is not None and self.match.rolls == 0

    @property
    def is_session(self) -> bool:
        """Whether games follow each other here until a player stops."""
        return self.terms.contest == "session"

    @property
    def may_stop(self) -> bool:
        """Whether the session may be stopped now, at no cost."""
        return self.phase == "between_games" and self.is_session

    @property
    def score(self) -> MatchScore:
        """The score of the match, as the rules see it."""
        assert self.match is not None, "there is no match"
        return MatchScore(
            _match_format(self.terms),
            points=self.match.score,
            games_played=self.match.games_played,
            crawford_played=self.match.crawford_played,
        )

    def seat_of(self, player: int | None) -> int | None:
        """The seat of a player at this table, or None."""
        if player is None or player not in self.seats:
            return None
        return self.seats.index(player)


def variant_of(terms: Terms, number: int) -> Variant:
    """The variant of the game with this number in a match: a series changes it with each game."""
    if terms.series:
        return _match_format(terms).variant_of(number - 1)
    return by_key(terms.variant)


@lru_cache(maxsize=1024)  # each command reads the score several times
def _match_format(terms: Terms) -> MatchFormat:
    return mode_of(terms).match_format(terms)


DECISION_PHASES: Final = frozenset(
    {"roll_off", "roll", "name_double", "play", "double_offered", "resignation_offered"}
)

#: the endings by which a match ends with its last game.
PLAYED_OUT: Final = frozenset({"borne_off", "double_dropped", "resigned"})

#: the phases in which a match is running and can be left.
RUNNING_PHASES: Final = DECISION_PHASES | {"rolling", "between_games"}


def seated(seat: int | None) -> int:
    """The author's seat. Raises `NotSeated`."""
    if seat is None:
        raise NotSeated("only the two players can do this")
    return seat


def running_game(state: TableState) -> Game:
    """The game that is being played, for a command that the table permits only during one."""
    assert state.game is not None, "no game is running"
    return state.game


def running_match(state: TableState) -> Match:
    """The match that is being played. Raises `MatchOver`, `WrongPhase`."""
    if state.phase in ("over", "closed"):
        raise MatchOver("the match is over")
    if state.match is None:
        raise WrongPhase("no match has begun at this table")
    return state.match
