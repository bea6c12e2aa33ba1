"""All commands to a table, in the imperative.

Commands that a client may send carry no author: the service names the seat beside them. Dice and
ids come in from outside as fields; the machine never makes them.
"""

import msgspec

from games.modes.terms import Terms
from games.table.setup import Setup


class Command(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """One request to a table."""


# --- from players -------------------------------------------------------------------------------


class Roll(Command, frozen=True, tag="roll"):
    """Roll the dice; `element` is the roller's own part in them, if their client has it at hand."""

    element: str = ""


class Double(Command, frozen=True, tag="double"):
    """Offer to double the cube."""


class Take(Command, frozen=True, tag="take"):
    """Accept the double."""


class Drop(Command, frozen=True, tag="drop"):
    """Refuse the double and lose the game at the old cube."""


class Beaver(Command, frozen=True, tag="beaver"):
    """Answer a double by redoubling at once and keeping the cube."""


class Raccoon(Command, frozen=True, tag="raccoon"):
    """Answer a beaver by doubling once more; the beaverer keeps the cube."""


class NameDouble(Command, frozen=True, tag="name_double"):
    """Name the double to be played after an acey-deucey."""

    number: int


class Play(Command, frozen=True, tag="play"):
    """Play the dice: one complete play, as `[from, to, die]` moves in order."""

    moves: tuple[tuple[int, int, int], ...]


class OfferResignation(Command, frozen=True, tag="offer_resignation"):
    """Offer to give up the game at a level (1 single, 2 gammon, 3 backgammon)."""

    level: int


class AcceptResignation(Command, frozen=True, tag="accept_resignation"):
    """Accept the resignation offered."""


class RefuseResignation(Command, frozen=True, tag="refuse_resignation"):
    """Refuse the resignation offered and play on."""


class Ready(Command, frozen=True, tag="ready"):
    """Be ready for the next game."""


class Stop(Command, frozen=True, tag="stop"):
    """Stop a session between two games: it is settled as it stands."""


class Rematch(Command, frozen=True, tag="rematch"):
    """Want to play again on the same terms."""


class StandUp(Command, frozen=True, tag="stand_up"):
    """Stand up before the first roll (the stakes come back), or after the match."""


class Leave(Command, frozen=True, tag="leave"):
    """Leave the table during a match: forfeit."""


class Claim(Command, frozen=True, tag="claim"):
    """Claim the win: the other has been absent on their own turn for too long."""


class TakeBack(Command, frozen=True, tag="take_back"):
    """Take one's last play back, with everything that came after it (practice)."""


PlayerCommand = (
    Roll
    | Double
    | Take
    | Drop
    | Beaver
    | Raccoon
    | NameDouble
    | Play
    | OfferResignation
    | AcceptResignation
    | RefuseResignation
    | Ready
    | Stop
    | Rematch
    | StandUp
    | Leave
    | Claim
    | TakeBack
)

# --- from services ------------------------------------------------------------------------------


class OpenTable(Command, frozen=True, tag="open_table"):
    """Open a table on these terms and take seat 0."""

    player: int
    terms: Terms


class Sit(Command, frozen=True, tag="sit"):
    """Take the second seat; the match with this id begins, `rated` if the pair limit allows.

    `rated_games` is how many games of a session it allows; None: any number. In practice the first
    game may begin from a position, `setup`.
    """

    player: int
    match: str
    rated: bool = True
    rated_games: int | None = None
    setup: Setup | None = None


class AskForDice(Command, frozen=True, tag="ask_for_dice"):
    """Close the decision to roll and wait until `due_ms` for the players' parts in the dice."""

    auto: bool
    due_ms: int


class GiveDice(Command, frozen=True, tag="give_dice"):
    """Dice for the seat that waits for them, drawn by the service."""

    dice: tuple[int, ...]
    auto: bool


class WakeUp(Command, frozen=True, tag="wake_up"):
    """Look at the clock: a time limit may have passed."""


class NotePresence(Command, frozen=True, tag="note_presence"):
    """A seat's last connection has gone, or its first has come."""

    present: bool


class CreditOutage(Command, frozen=True, tag="credit_outage"):
    """Give back the time between these moments, in which the house was down."""

    began_ms: int
    ended_ms: int


class GiveRematch(Command, frozen=True, tag="give_rematch"):
    """A seat's wish to play again, with the id the match gets if both want it; see `Sit`."""

    match: str
    rated: bool = True
    rated_games: int | None = None


class GiveStandUp(Command, frozen=True, tag="give_stand_up"):
    """A guest stands up before the first roll; the opener waits on at the table `successor`."""

    successor: str


class Settle(Command, frozen=True, tag="settle"):
    """Record what settlement has moved for the match that just ended."""

    paid_cents: tuple[int, int]
    rake_cents: int
    elo_before: tuple[str, str]
    elo_after: tuple[str, str]


class Void(Command, frozen=True, tag="void"):
    """Let the match count for nothing, running or ended (administrators)."""


class Adjudicate(Command, frozen=True, tag="adjudicate"):
    """End the running match with this result (administrators).

    `winner` is a seat, or None for a tie; `score` is the match's final score, `level` and `cube`
    what a game that stands alone is worth. Without them the winner gets what a leaver would lose.
    """

    winner: int | None
    score: tuple[int, int] | None = None
    level: int = 0
    cube: int = 0


AnyCommand = (
    PlayerCommand
    | OpenTable
    | Sit
    | AskForDice
    | GiveDice
    | NotePresence
    | CreditOutage
    | GiveRematch
    | GiveStandUp
    | WakeUp
    | Settle
    | Void
    | Adjudicate
)
