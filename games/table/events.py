"""Everything that can happen at a table, in the past tense.

Events are the truth: stored with a gapless sequence number per table, and folding them gives the
state. Each carries `at_ms`, so that clocks replay exactly. Their JSON form (`type` and fields) is
part of the protocol, see docs/protocol.md.
"""

from games.modes.terms import Terms
from kit.events import TimedEvent

#: whatever happens at a table has its time.
Event = TimedEvent


class TableOpened(Event, frozen=True, tag="table_opened"):
    """A player opened a table on these terms and took seat 0."""

    player: int
    terms: Terms


class PlayerSat(Event, frozen=True, tag="player_sat"):
    """A second player took the other seat."""

    seat: int
    player: int


class MatchStarted(Event, frozen=True, tag="match_started"):
    """Both stakes lie in escrow and a match begins; `match` is its id.

    With `rated` false no rating moves: the two have played as many as the pair limit rates. Of a
    session the first `rated_games` games are rated; None: all of them.
    """

    match: str
    number: int
    rated: bool = True
    rated_games: int | None = None


class PositionSet(Event, frozen=True, tag="position_set"):
    """The first game of this match begins from a position, and the match at a score (practice).

    `position` is a text in the numbering of seat 0, as docs/formats.md has it.
    """

    position: str
    on_roll: int
    cube_value: int
    cube_owner: int | None
    score: tuple[int, int]
    crawford: bool


class GameStarted(Event, frozen=True, tag="game_started"):
    """A game begins; its starter rolls first. Without a starter both roll off for it."""

    game: int
    starter: int | None
    crawford: bool


class RolledOff(Event, frozen=True, tag="rolled_off"):
    """Each seat rolled one die for who begins; equal ones are rolled again.

    `cube` is the cube's value afterwards: equal dice may have doubled it.
    """

    dice: tuple[int, int]
    starter: int | None
    cube: int


class DiceAskedFor(Event, frozen=True, tag="dice_asked_for"):
    """A roll was decided on; no number is known before both players' parts are in, or `due_ms`."""

    seat: int
    auto: bool
    due_ms: int


class DiceRolled(Event, frozen=True, tag="dice_rolled"):
    """Dice fell for a seat; `auto` if the server rolled because no double was possible."""

    seat: int
    dice: tuple[int, ...]
    auto: bool


class PlayMade(Event, frozen=True, tag="play_made"):
    """A seat played its dice; no moves means that none was legal and the turn passed."""

    seat: int
    dice: tuple[int, ...]
    moves: tuple[tuple[int, int, int], ...]
    text: str
    forced: bool
    goes_on: bool = False
    """The same seat's turn is not over: its variant gives it another roll."""


class DoubleOffered(Event, frozen=True, tag="double_offered"):
    """A seat offered to raise the cube to `value`."""

    seat: int
    value: int


class Beavered(Event, frozen=True, tag="beavered"):
    """The seat that was offered a double redoubled at once to `value` and keeps the cube."""

    seat: int
    value: int


class Raccooned(Event, frozen=True, tag="raccooned"):
    """The doubler answered the beaver by doubling again to `value`."""

    seat: int
    value: int


class DoubleTaken(Event, frozen=True, tag="double_taken"):
    """The other seat took the double and owns the cube at `value`."""

    seat: int
    value: int


class DoubleDropped(Event, frozen=True, tag="double_dropped"):
    """The other seat refused the double to `value` and gave up the game."""

    seat: int
    value: int


class ResignationOffered(Event, frozen=True, tag="resignation_offered"):
    """A seat offered to give up the game at a level."""

    seat: int
    level: int


class ResignationAccepted(Event, frozen=True, tag="resignation_accepted"):
    """The resignation was accepted by `seat`, or by the rule that nothing higher is possible."""

    seat: int
    level: int


class ResignationRefused(Event, frozen=True, tag="resignation_refused"):
    """`seat` refused the resignation; play goes on."""

    seat: int
    level: int


class TakenBack(Event, frozen=True, tag="taken_back"):
    """A seat took its last play back: the game stands as it did after event `to_seq` (practice)."""

    seat: int
    to_seq: int


class PlayerReady(Event, frozen=True, tag="player_ready"):
    """A seat is ready for the next game."""

    seat: int


class PlayerLeft(Event, frozen=True, tag="player_left"):
    """A seat left the table in the middle of a match."""

    seat: int


class PlayerStopped(Event, frozen=True, tag="player_stopped"):
    """A seat stopped a session between two games."""

    seat: int


class PlayerAbsent(Event, frozen=True, tag="player_absent"):
    """The last connection of a seat is gone."""

    seat: int


class PlayerBack(Event, frozen=True, tag="player_back"):
    """A seat is connected again."""

    seat: int


class WinClaimed(Event, frozen=True, tag="win_claimed"):
    """`seat` claims the win because the other has been absent on their own turn for too long."""

    seat: int


class OutageCredited(Event, frozen=True, tag="outage_credited"):
    """The house was down between these moments: no clock ran, and there is time to come back."""

    began_ms: int
    ended_ms: int


class TimeRanOut(Event, frozen=True, tag="time_ran_out"):
    """A seat's reserve came to its end."""

    seat: int


class PlayerStoodUp(Event, frozen=True, tag="player_stood_up"):
    """A seat stood up before the first roll of the match, or closed a table nobody had joined."""

    seat: int


class GameEnded(Event, frozen=True, tag="game_ended"):
    """A game ended: its winner (None: a draw) scores `points`, which makes `score`."""

    winner: int | None
    points: int
    level: int
    cube: int
    ending: str
    score: tuple[int, int]


class MatchEnded(Event, frozen=True, tag="match_ended"):
    """The match is decided; a tie or a drawn game has no winner.

    `points` is what a match settled by the point is worth; `level` and `cube` are what they come
    from where administrators decided the match, else 0.
    """

    winner: int | None
    ending: str
    score: tuple[int, int]
    points: int = 0
    level: int = 0
    cube: int = 0


class MatchSettled(Event, frozen=True, tag="match_settled"):
    """Credits and ratings have moved: what each seat was paid, the rake, the ratings."""

    paid_cents: tuple[int, int]
    rake_cents: int
    elo_before: tuple[str, str]
    elo_after: tuple[str, str]


class MatchVoided(Event, frozen=True, tag="match_voided"):
    """The match counts for nothing: stakes back, no rake, no ratings."""

    reason: str


class RematchOffered(Event, frozen=True, tag="rematch_offered"):
    """A seat wants to play again on the same terms."""

    seat: int


class TableClosed(Event, frozen=True, tag="table_closed"):
    """Nothing more will happen at this table. Its opener waits on at `successor`, if any."""

    reason: str
    successor: str | None = None


AnyEvent = (
    TableOpened
    | PlayerSat
    | MatchStarted
    | PositionSet
    | GameStarted
    | RolledOff
    | DiceAskedFor
    | DiceRolled
    | PlayMade
    | DoubleOffered
    | Beavered
    | Raccooned
    | DoubleTaken
    | DoubleDropped
    | ResignationOffered
    | ResignationAccepted
    | ResignationRefused
    | TakenBack
    | PlayerReady
    | PlayerLeft
    | PlayerStopped
    | PlayerAbsent
    | PlayerBack
    | WinClaimed
    | OutageCredited
    | TimeRanOut
    | PlayerStoodUp
    | GameEnded
    | MatchEnded
    | MatchSettled
    | MatchVoided
    | RematchOffered
    | TableClosed
)
