"""The frames and commands of a tournament's WebSocket, and what it shows, as types.

The schema of the protocol, the declarations for the scripts and the REST interface are made from
them: its answers are a `TournamentWhole`, views of the socket a `TournamentView`.
"""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from games import wire
from games.table.view_types import AllTerms, Milliseconds, Part
from games.wire import frames as wire_frames


class Enter(msgspec.Struct, frozen=True, tag="enter", forbid_unknown_fields=True):
    """Enter; `part` is one's part in the draw."""

    part: str = ""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw", forbid_unknown_fields=True):
    """Withdraw before the draw, or give up after it."""


class Come(msgspec.Struct, frozen=True, tag="come", forbid_unknown_fields=True):
    """Be there for one's match."""


TournamentCommand = Enter | Withdraw | Come


TournamentPhase = Literal["registering", "running", "over", "called_off"]


class TournamentCommandFrame(
    wire.AnyCommandFrame, frozen=True, tag="command", forbid_unknown_fields=True
):
    """Do something in a tournament; `id` makes a repetition harmless."""

    command: TournamentCommand


TournamentFrame = wire.Resume | wire.Ping | TournamentCommandFrame


class TournamentRow(Part, frozen=True):
    """A tournament in a list."""

    IN_REST: ClassVar = "Tournament"

    id: UUID
    name: str
    format: str
    variant: Annotated[str, Meta(description="The game.")]
    length: Annotated[int, Meta(description="Points of a match.")]
    least: Annotated[int, Meta(description="With fewer it is called off.")]
    most: int
    phase: TournamentPhase
    starts_at: Annotated[
        datetime | None, Meta(description="Null: it begins as soon as all places are taken.")
    ]
    fee_cents: int
    rake_bps: Annotated[int, Meta(description="Of the fees; nothing of what was added.")]
    added_cents: Annotated[int, Meta(description="What the house added to the fees.")]
    shares_bps: list[int]
    sides_bps: Annotated[
        list[int],
        Meta(
            description="Of all prizes, for the winners of the consolation and of the last chance."
        ),
    ]
    satellite_of: Annotated[
        UUID | None, Meta(description="The tournament in which its first prizes are seats.")
    ]
    seats: Annotated[int, Meta(description="How many win a seat there if it is full.")]
    taken: Annotated[int, Meta(description="How many have entered.")]
    entered: Annotated[bool, Meta(description="Whether you have.")]
    commitment: str
    table_terms: AllTerms


class TournamentPlace(Part, frozen=True):
    """A player of a tournament; places and prize are null before the end."""

    name: str
    first_place: int | None
    last_place: int | None
    wins: int
    losses: int
    prize_cents: int | None


class TournamentPairing(Part, frozen=True):
    """A pairing; `place` is stage, round and number in the format."""

    number: int
    place: str
    players: list[str]
    winner: str | None
    how: str | None


class TournamentCall(Part, frozen=True):
    """Your match that is called or played. Without `table` it waits for `ready`."""

    IN_REST: ClassVar = "Call"

    number: int
    opponent: str
    due_at: datetime
    table: UUID | None


class TournamentWhole(TournamentRow, frozen=True, kw_only=True):
    """A tournament with everything that happened in it."""

    seq: Annotated[
        int,
        Meta(description="The number of its newest event, as in the frames of its WebSocket."),
    ]
    standing: list[TournamentPlace]
    pairings: list[TournamentPairing]
    call: TournamentCall | None


class TournamentView(TournamentWhole, frozen=True, kw_only=True):
    """A tournament as its reader sees it at this moment."""

    now_ms: Milliseconds


class TournamentChanged(wire_frames.Frame, frozen=True, tag="changed"):
    """Something has changed; `seq` is the number of the newest event."""

    seq: wire_frames.Seq


class TournamentSnapshot(wire_frames.ViewSnapshot[TournamentView], frozen=True, tag="snapshot"):
    """The tournament as it is now."""


class TournamentUpdate(wire_frames.ViewUpdate[TournamentView], frozen=True, tag="update"):
    """The tournament after a change."""


TournamentServerFrame = (
    wire_frames.ViewFrame | TournamentChanged | TournamentSnapshot | TournamentUpdate
)
