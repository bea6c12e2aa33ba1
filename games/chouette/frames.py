"""The frames of a chouette's WebSocket, and its view, as types: docs/chouette.md, "For programs".

The schema of the protocol, the declarations for the scripts and the description of the REST
interface are made from them. `games.chouette.view` builds the views; they are not checked then, but
the tests hold what is sent against the schema.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from games import wire
from games.chouette.commands import AnyCommand
from games.chouette.engine.events import How, Side
from games.chouette.engine.state import Phase
from games.chouette.engine.terms import Consulting, Cubes, LoneTaker
from games.table.view_types import Board, Cents, FairView, Graph, Milliseconds, Part, Seat
from games.wire import frames as wire_frames

To = Literal["everybody", "crew"]
Step = tuple[int, int, int]


class ChouetteSay(wire.Say, frozen=True, tag="say", kw_only=True, forbid_unknown_fields=True):
    """Send a set phrase or a line of text to everybody at the table, or to the crew of a game."""

    to: To
    game: wire.Number | UnsetType = UNSET


class ChouetteCommandFrame(
    wire.AnyCommandFrame, frozen=True, tag="command", forbid_unknown_fields=True
):
    """Do something at a chouette; `id` makes a repetition harmless."""

    command: AnyCommand


ChouetteDiceFrame = wire.DiceTip | wire.DiceElement
ChouetteFrame = (
    wire.Resume | wire.Ping | ChouetteCommandFrame | ChouetteDiceFrame
    | wire.Chat | ChouetteSay | wire.MutePerson | wire.FreeText | wire.Report
)  # fmt: skip


class ChouetteTermsView(Part, frozen=True):
    """The terms of a table, fixed when it was opened."""

    IN_REST: ClassVar = "ChouetteTerms"

    rate_cents: Cents
    limit_points: int | None
    limit_cents: Cents
    rake_bps: int
    jacoby: bool
    beavers: bool
    consulting: Consulting
    cubes: Cubes
    lone_taker: LoneTaker
    cube_cap: int


class ChouettePerson(Part, frozen=True):
    """A person at the table, in the order of the list."""

    id: int
    name: str
    elo: int | None
    strength: int | None
    bot: bool
    face: str
    role: Literal["box", "captain", "crew", "joining"]
    acts: Annotated[bool, Meta(description="Whether they move in the captain's place.")]
    away: bool
    leaves_after: bool
    bank_ms: Milliseconds


class MemberCubeView(Part, frozen=True):
    """A member's cube; `my_choice` is null in everybody else's view."""

    IN_REST: ClassVar = "MemberCube"

    player: int
    value: int
    owner: Side | None
    settled: bool
    box_points: int | None
    how: How | None
    state: Literal["out", "offered", "beavered", "decided", "thinking", "idle"]
    my_choice: bool | None


class OfferedCube(Part, frozen=True):
    """A member's cube that is offered, or can be."""

    player: int
    value: Annotated[int, Meta(description="What it shows before the offer.")]
    may_beaver: bool | UnsetType = UNSET
    may_take: Annotated[
        bool | UnsetType, Meta(description="False for a lone taker who must beaver or drop.")
    ] = UNSET
    take_may_return: Annotated[
        bool | UnsetType,
        Meta(description="Whether your take becomes a drop if you are the only taker."),
    ] = UNSET


class OwnBeaver(Part, frozen=True):
    """A beaver of your double that waits for your answer."""

    IN_REST: ClassVar = "Beaver"

    value: Annotated[int, Meta(description="What the cube shows if it is accepted.")]
    lose: Annotated[int, Meta(description="The points that giving up costs.")]


class BeaverOffer(OwnBeaver, frozen=True, kw_only=True):
    """A member's beaver that waits for an answer."""

    player: int


class OwnCube(Part, frozen=True):
    """Your own cube before the roll."""

    IN_REST: ClassVar = "Decide"

    value: Annotated[int, Meta(description="What it shows now.")]


class ChouetteActions(Part, frozen=True):
    """The commands that you may give now, named as in `do`; the others are absent."""

    sit: bool | UnsetType = UNSET
    stand_up: bool | UnsetType = UNSET
    leave_after: bool | UnsetType = UNSET
    start: Annotated[bool | UnsetType, Meta(description="Begin the next game now.")] = UNSET
    invite_bot: bool | UnsetType = UNSET
    play: Annotated[bool | UnsetType, Meta(description="Play the dice: see `graph`.")] = UNSET
    decide: Annotated[OwnCube | UnsetType, Meta(description="Double with your cube, or not.")] = (
        UNSET
    )
    box_doubles: Annotated[
        list[OfferedCube] | UnsetType,
        Meta(description="The cubes with which the box may double."),
    ] = UNSET
    answer: Annotated[OfferedCube | UnsetType, Meta(description="The box doubles your cube.")] = (
        UNSET
    )
    box_answers: Annotated[
        list[OfferedCube] | UnsetType,
        Meta(description="The cubes with which members double the box."),
    ] = UNSET
    beaver_answer: Annotated[
        OwnBeaver | UnsetType, Meta(description="The box beavers your double.")
    ] = UNSET
    box_beaver_answers: Annotated[
        list[BeaverOffer] | UnsetType,
        Meta(description="The members who beaver the box's double."),
    ] = UNSET
    advise: Annotated[bool | UnsetType, Meta(description="Show the captain a play.")] = UNSET
    confer: Annotated[bool | UnsetType, Meta(description="Write to the crew.")] = UNSET


class SidePlay(Part, frozen=True):
    """The last play, in the numbers of its side; seat 0 is the side at which the reader sits."""

    seat: Seat
    dice: tuple[int, int]
    moves: Sequence[Step]
    text: str


class PlayClock(Part, frozen=True):
    """The time of who plays: the end of the delay, and what is left of the bank after it."""

    player: int
    delay_ends_ms: Milliseconds
    bank_ms: Milliseconds


class LeavingCosts(Part, frozen=True):
    """The costs of standing up now."""

    points: int
    cents: Cents


class PairPoints(Part, frozen=True):
    """Points by pair (the first has won them from the second), and in all by id."""

    pairs: list[Step]
    totals: dict[str, int]


class MemberResult(Part, frozen=True):
    """The points that the box won from a member in a game."""

    player: int
    box_points: int


class PastGame(Part, frozen=True):
    """A game that has ended."""

    number: int
    box: int
    results: list[MemberResult]
    rake_cents: Cents | None
    voided: bool


class AdvisedPlay(Part, frozen=True):
    """A play that a member advises, and who agrees."""

    player: int
    moves: Sequence[Step]
    text: str
    agree: Sequence[int]


class ChouetteView(Part, frozen=True):
    """A table as you see it, and in `actions` what you may do now."""

    id: UUID
    seq: Annotated[int, Meta(description="The number of the newest event.")]
    now_ms: Milliseconds
    turn: Annotated[int, Meta(description="Decisions are sent with it.")]
    terms: ChouetteTermsView
    closed: bool
    phase: Phase
    game: int
    me: int | None
    seat: Side | None
    people: list[ChouettePerson]
    names: dict[str, str]
    cubes: list[MemberCubeView]
    on_roll: Side | None
    board: Annotated[Board, Meta(description="In your numbers.")]
    pips: tuple[int, int]
    dice: tuple[int, int] | None
    roll_off: tuple[int, int] | None
    last_play: SidePlay | None
    graph: Annotated[
        Graph | None, Meta(description="The legal plays: `[[[from, to, die, next], …], …]`.")
    ]
    actions: Annotated[ChouetteActions, Meta(description="What you may do now, by command.")]
    waits_for: list[int]
    deadline_ms: Milliseconds | None
    clock: PlayClock | None
    next_game_ms: Milliseconds | None
    leave_costs: LeavingCosts | None
    points: Annotated[PairPoints, Meta(description="`pairs` and `totals`.")]
    ledger: Annotated[
        dict[str, int] | None,
        Meta(description="What everybody has won here in cents; null without credits."),
    ]
    games: list[PastGame]
    talk: list[AdvisedPlay]
    fair: Annotated[FairView | None, Meta(description="The dice (docs/dice.md).")]
    dice_seat: Annotated[
        Seat | None,
        Meta(description="0 for the box, 1 for the captain: parts come from both."),
    ]


class ChouetteSnapshot(wire_frames.ViewSnapshot[ChouetteView], frozen=True, tag="snapshot"):
    """The table as it is now."""


class ChouetteUpdate(wire_frames.ViewUpdate[ChouetteView], frozen=True, tag="update"):
    """The table after a change."""


ChouetteServerFrame = (
    wire_frames.ViewFrame | ChouetteSnapshot | ChouetteUpdate | wire_frames.ChatFrame
    | wire_frames.Said | wire_frames.Unsaid | wire_frames.Reported
)  # fmt: skip
