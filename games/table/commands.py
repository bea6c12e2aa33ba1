"""Everything one can ask of a table, in the imperative.

Commands that a client may send carry no author: the service names the seat beside them. Dice and
ids come in from outside as fields; the machine never makes them.
"""

import msgspec

from games.table.terms import Terms


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """One request to a table."""


# --- from players -------------------------------------------------------------------------------


class Roll(Command, tag="roll"):
    """Roll the dice."""


class Double(Command, tag="double"):
    """Offer to double the cube."""


class Take(Command, tag="take"):
    """Accept the double."""


class Drop(Command, tag="drop"):
    """Refuse the double and lose the game at the old cube."""


class Play(Command, tag="play"):
    """Play the dice: one complete play, as `[from, to, die]` moves in order."""

    moves: tuple[tuple[int, int, int], ...]


class OfferResignation(Command, tag="offer_resignation"):
    """Offer to give up the game at a level (1 single, 2 gammon, 3 backgammon)."""

    level: int


class AcceptResignation(Command, tag="accept_resignation"):
    """Accept the resignation offered."""


class RefuseResignation(Command, tag="refuse_resignation"):
    """Refuse the resignation offered and play on."""


class Ready(Command, tag="ready"):
    """Be ready for the next game."""


class StandUp(Command, tag="stand_up"):
    """Stand up before the first roll: the stakes come back."""


class Leave(Command, tag="leave"):
    """Leave the table during a match: forfeit."""


PlayerCommand = (
    Roll
    | Double
    | Take
    | Drop
    | Play
    | OfferResignation
    | AcceptResignation
    | RefuseResignation
    | Ready
    | StandUp
    | Leave
)

# --- from services ------------------------------------------------------------------------------


class OpenTable(Command, tag="open_table"):
    """Open a table on these terms and take seat 0."""

    player: int
    terms: Terms


class Sit(Command, tag="sit"):
    """Take the second seat; the match with this id begins."""

    player: int
    match: str


class GiveDice(Command, tag="give_dice"):
    """Dice for the seat that waits for them, drawn by the service."""

    dice: tuple[int, ...]
    auto: bool


class WakeUp(Command, tag="wake_up"):
    """Look at the clock: a time limit may have passed."""


class Settle(Command, tag="settle"):
    """Record what settlement has moved for the match that just ended."""

    paid_cents: tuple[int, int]
    rake_cents: int
    elo_before: tuple[str, str]
    elo_after: tuple[str, str]


class Void(Command, tag="void"):
    """Void the running match (administrators)."""

    reason: str


AnyCommand = PlayerCommand | OpenTable | Sit | GiveDice | WakeUp | Settle | Void
