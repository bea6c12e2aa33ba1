"""The view of a table, as types: docs/protocol.md, "The view". `games.table.view` builds them.

The JSON Schema of the protocol and the declarations for the scripts are made from these types, too.
They are not checked when they are built; the tests check what is sent by the schema.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from backgammon.rules.start import StartRule
from games.modes.terms import ClockName, Contest, ModeKey
from games.table.errors import Reason
from games.table.state import Phase

if TYPE_CHECKING:  # the state has plain numbers and names, of which these are the only ones
    Seat = int
    AgreedRule = str
    StartRuleName = str
    Way = str
    Capture = str
    ReasonCode = str
else:
    Seat = Literal[0, 1]
    AgreedRule = Literal[
        "crawford",
        "holland",
        "jacoby",
        "beavers",
        "raccoons",
        "auto_doubles",
        "max_five",
        "no_hit_and_run",
        "no_extra_roll",
    ]
    StartRuleName = Literal[*(rule.value for rule in StartRule)]
    Way = Literal["against", "half", "same"]
    Capture = Literal["hit", "pin", "block"]
    ReasonCode = Reason
Graph = Sequence[Sequence[tuple[int, int, int, int]]]
Cents = Annotated[int, msgspec.Meta(ge=0)]
Milliseconds = int
Die = Annotated[int, msgspec.Meta(ge=1, le=6)]
Hex32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a frame; it has exactly these fields."""


class Person(Part, frozen=True):
    """The person at a seat; guests have no rating. `plays_as`: a bot's level, or `alone`.

    `face`: a symbol, and for people two colours and an angle (accounts/faces.py);
    none at a table from before there were faces.
    """

    id: int
    name: str
    elo: int | None
    strength: Annotated[int, msgspec.Meta(ge=1, le=6)] | None
    bot: bool
    plays_as: str | None
    face: str = ""


class TermsView(Part, frozen=True, cache_hash=True):
    """The terms of the table, which both players agreed to."""

    stake_cents: Cents
    rate_cents: Cents
    game_limit_cents: Cents
    limit_points: int | None
    pot_cents: Cents
    rake_cents: Cents
    winner_cents: Cents
    most_lost_cents: Cents
    contest: Contest
    target_points: int
    games_max: int
    has_cube: bool
    cube_cap: int
    start_rule: StartRuleName
    rules: tuple[AgreedRule, ...]
    clock: ClockName
    delay_ms: Milliseconds
    reserve_ms: Milliseconds
    watchers: bool
    practice: bool


class AllTerms(Part, frozen=True):
    """All terms of a table, under the names of the wishes that lead to them."""

    IN_REST: ClassVar = "Terms"

    variant: Annotated[str, Meta(description="The game; of a series the first one.")]
    contest: Contest
    series: Annotated[str, Meta(description="The series; empty without one.")]
    target_points: int
    games_max: int
    stake_cents: Annotated[int, Meta(description="What each seat puts into escrow.")]
    rate_cents: Annotated[int, Meta(description="What a point costs; 0: nothing by the point.")]
    game_limit_cents: Annotated[int, Meta(description="The most a game of a session can cost.")]
    limit_points: Annotated[
        int | None, Meta(description="How many points reach the limit of a game by the point.")
    ]
    pot_cents: int
    rake_bps: int
    rake_cents: Annotated[int, Meta(description="The most that the house keeps.")]
    has_cube: bool
    cube_cap: int
    crawford: bool
    holland: bool
    jacoby: bool
    beavers: bool
    raccoons: bool
    auto_doubles_max: int
    start_rule: str
    max_stack: int
    no_hit_and_run: bool
    extra_roll: bool
    clock: str
    delay_ms: Milliseconds
    reserve_ms: Milliseconds
    watchers: bool
    for_prize: Annotated[
        bool,
        Meta(
            description="Whether the table is part of an event with a fee, a prize"
            " or a seat to win."
        ),
    ]


class Board(Part, frozen=True):
    """The checkers, in the numbering of seat 0; lists of two are by seat."""

    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    hand: tuple[int, int]
    pinned: tuple[int, ...]


class CubeView(Part, frozen=True):
    """The doubling cube; nobody owns it while it lies in the middle."""

    value: int
    owner: Seat | None
    offered_by: Seat | None
    offered_value: int | msgspec.UnsetType | None = msgspec.UNSET


class Worth(Part, frozen=True, array_like=True):
    """The worth of one ending, as a list of these fields; there are up to sixty in a view."""

    level: int
    points: int
    #: whether it ends the match; only then credits move, and in a session after every game.
    over: bool
    #: what each seat gains or loses beside its own stake.
    change_cents: tuple[int, int]
    rake_cents: Cents
    #: whether the limit, or the points that the winner still needs, are less than the points.
    capped: bool


class Losses(Part, frozen=True):
    """How a seat can lose the game: as the cube is, after a take, by a drop, by leaving."""

    levels: tuple[Worth, ...]
    taken: tuple[Worth, ...]
    drop: Worth | None
    leave: Worth | None


class Stakes(Part, frozen=True, cache_hash=True):
    """Every ending that the running game still has, by the seat that loses it."""

    losses: tuple[Losses, Losses]
    drawn: Worth


class ClockView(Part, frozen=True):
    """Time left by seat, counted from `since_ms`."""

    running: Seat | None
    since_ms: Milliseconds | None
    delay_left_ms: tuple[Milliseconds, Milliseconds]
    reserve_ms: tuple[Milliseconds, Milliseconds]
    deadline_ms: Milliseconds | None


class Resignation(Part, frozen=True):
    """An offer to give up the game."""

    seat: Seat
    level: int


class LastPlay(Part, frozen=True):
    """The last play of the game; its moves are in the numbering of its seat."""

    seat: Seat
    dice: tuple[Die, ...]
    moves: tuple[tuple[int, int, int], ...]
    text: str


class MatchResult(Part, frozen=True):
    """How the match ended; no winner is a tie or a void."""

    winner: Seat | None
    ending: str
    points: int
    level: int
    cube: int
    paid_cents: tuple[Cents, Cents] | None
    rake_cents: Cents | None
    elo_before: tuple[str, str] | None
    elo_after: tuple[str, str] | None


class ResultView(Part, frozen=True):
    """The last game's result; only `winner` where the match ended in the middle of a game."""

    winner: Seat | None
    points: int | msgspec.UnsetType = msgspec.UNSET
    level: int | msgspec.UnsetType = msgspec.UNSET
    cube: int | msgspec.UnsetType = msgspec.UNSET
    ending: str | msgspec.UnsetType = msgspec.UNSET
    score: tuple[int, int] | msgspec.UnsetType = msgspec.UNSET
    match: MatchResult | msgspec.UnsetType = msgspec.UNSET


class DiceRollView(Part, frozen=True):
    """A roll with the three parts it was made of; `s` is the house's, `eW` and `eB` by colour."""

    n: int
    kind: int
    flags: int
    s: str
    eW: str  # noqa: N815 - the name that the dice protocol gives it
    eB: str  # noqa: N815 - the name that the dice protocol gives it
    dice: list[Die]


class FairView(Part, frozen=True):
    """The public part of the running game's dice (protocol BGD1)."""

    protocol: Literal["BGD1"]
    game: str
    mode: Literal["L", "K"]
    terms: str
    house: Hex32
    given: list[str | None]
    revealed: list[bool]
    open: str | None
    next: int
    wanted: tuple[bool, bool]
    rolls: list[DiceRollView]


class Glance(Part, frozen=True):
    """The contents of a board: nothing to choose, no clocks, no result."""

    mode: ModeKey
    variant: str
    way: Way
    capture: Capture
    phase: Phase
    terms: TermsView
    rated: bool
    match: int
    game: int
    score: tuple[int, int]
    banks_cents: tuple[Cents, Cents] | None
    crawford: bool
    on_roll: Seat | None
    decider: Seat | None
    board: Board
    pips: tuple[int, int]
    dice: tuple[Die, ...] | None
    cube: CubeView
    last_play: LastPlay | None


class View(Glance, frozen=True):
    """The whole table as everybody may see it; lists of two are by seat."""

    table: str
    match_id: str | None
    #: whether the match began from a position, as a rematch then does, too.
    set_up: bool
    players: tuple[Person | None, Person | None]
    graph: Graph | None
    actions: tuple[tuple[str, ...], tuple[str, ...]]
    why_not: tuple[dict[str, ReasonCode], dict[str, ReasonCode]]
    auto_roll_because: Reason | None
    resignation: Resignation | None
    resignable_levels: tuple[int, ...]
    refused_levels: dict[int, Reason]
    stakes: Stakes | None
    clock: ClockView
    ready: tuple[bool, bool]
    rematch: tuple[bool, bool]
    next_game_ms: Milliseconds | None
    absent: tuple[bool, bool]
    claim_ms: Milliseconds | None
    result: ResultView | None
    successor: str | None
    fair: FairView | None
