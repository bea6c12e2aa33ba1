"""The frames that the server sends, as types: what is sent of a table is built from them.

The JSON Schema and the declarations for the scripts are made from the same types. They are not
checked when they are built; every frame that a test receives is held against the schema.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeVar

import msgspec

from games.table.talk import Audience, Phrase
from games.table.view_types import FairView, Milliseconds, Part, Seat, View

Seq = Annotated[int, msgspec.Meta(ge=0)]
FrameId = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

if TYPE_CHECKING:  # errors have their codes as plain strings, of which these are the only ones
    RejectedCode = str
    UnsaidCode = str
    ErrorCode = str
    FrameType = str
else:
    #: why a command was not carried out.
    RejectedCode = Literal[
        "stale", "not_seated", "not_your_turn", "wrong_phase", "illegal_play", "may_not_double",
        "may_not_resign", "match_over", "table_full", "own_table", "insufficient_credits",
        "time_over", "too_early", "only_in_practice", "dice_refused", "busy", "no_such_table",
        "scope_missing", "bots_play_normal", "play_paused", "account_closed", "same_person",
        "barred", "barred_for_good", "linked",
        # at a chouette
        "no_such_chouette", "chouette_closed", "no_seat", "sits_elsewhere", "bad_answer",
        "bad_terms", "guests_play_free", "stake_not_possible",
        # in a tournament
        "no_such_tournament", "not_entered", "full", "plays_now", "members_only", "added_by_you",
    ]  # fmt: skip

    #: why a message was not stored.
    UnsaidCode = Literal[
        "may_not_talk", "silenced", "phrases_only", "bad_text", "talks_too_fast", "not_seated",
        "busy", "no_such_table", "scope_missing", "crew_silent",
    ]  # fmt: skip

    #: the types of client frames.
    FrameType = Literal[
        "resume", "ping", "command", "hint", "dice_tip", "dice_seed", "dice_element", "chat", "say",
        "mute", "free_text", "report",
    ]  # fmt: skip

    #: why any other frame was not carried out.
    ErrorCode = Literal[
        "bad_frame", "too_fast", "dice_refused", "only_in_practice", "not_seated", "not_your_turn",
        "wrong_phase", "busy", "no_such_table", "may_not_talk", "no_such_person", "too_many_mutes",
        "no_such_message", "too_many_reports", "bad_text", "scope_missing",
    ]  # fmt: skip


class Frame(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """A frame of the server; it has exactly these fields."""


class Welcome(Frame, frozen=True, tag="welcome"):
    """The first frame; `seat` is null for a watcher, `slow` true if frames take a slower way now.

    A socket keeps its way: it is closed when that changes.
    """

    table: str
    seat: Seat | None
    seq: Seq
    now_ms: Milliseconds
    protocol: int
    slow: bool


class Snapshot(Frame, frozen=True, tag="snapshot"):
    """Everything that a new client needs; `log` is the list of moves."""

    seq: Seq
    now_ms: Milliseconds
    view: View
    log: Sequence[Any]


class Update(Frame, frozen=True, tag="update"):
    """One commit at the table: its events, and the view they lead to."""

    seq: Seq
    now_ms: Milliseconds
    events: Sequence[Any]
    view: View


class Accepted(Frame, frozen=True, tag="accepted"):
    """A command was carried out; `seq` is the last event that it caused."""

    id: str
    seq: Seq


class Rejected(Frame, frozen=True, tag="rejected"):
    """A command was not carried out, and nothing has changed."""

    id: str
    seq: Seq
    code: RejectedCode
    message: str
    reason: str | msgspec.UnsetType = msgspec.UNSET
    who: Literal["you", "opponent"] | msgspec.UnsetType = msgspec.UNSET
    claim_ms: Milliseconds | msgspec.UnsetType = msgspec.UNSET
    until_ms: Milliseconds | msgspec.UnsetType = msgspec.UNSET
    scope: str | msgspec.UnsetType = msgspec.UNSET


class Failure(Frame, frozen=True, tag="error"):
    """A frame was not carried out; `frame` is its type and `id` its id, if it had them."""

    code: ErrorCode
    message: str
    frame: FrameType | msgspec.UnsetType = msgspec.UNSET
    id: FrameId | msgspec.UnsetType = msgspec.UNSET
    scope: str | msgspec.UnsetType = msgspec.UNSET


class Pong(Frame, frozen=True, tag="pong"):
    """The answer to a ping, with the table's newest seq: some seconds old, None if not known."""

    sent_ms: float
    now_ms: Milliseconds
    seq: int | None


class PlayAdvice(Part, frozen=True):
    """A play with its equity, and its loss against the best play, in points."""

    moves: list[tuple[int, int, int]]
    text: str
    equity: float
    loss: float


class Advice(Frame, frozen=True, tag="hint"):
    """The decision of the strongest house bot."""

    seq: Seq
    command: str
    number: int | None
    judged_by: Literal["engine", "net", "eye"]
    plays: list[PlayAdvice]


class PresenceFrame(Frame, frozen=True, tag="presence"):
    """Which seats are connected, and how many others watch."""

    online: tuple[bool, bool]
    watchers: Annotated[int, msgspec.Meta(ge=0)]


class Fair(Frame, frozen=True, tag="fair"):
    """The dice of the running game have gone on, without an event."""

    seq: Seq
    fair: FairView


class Author(Part, frozen=True):
    """Somebody, by id and name."""

    id: int
    name: str


class Message(Part, frozen=True):
    """The content of a message: `phrase` or `text`, the other is null."""

    number: Annotated[int, msgspec.Meta(ge=1)]
    author: Author
    seat: Seat | None
    audience: Audience
    phrase: Phrase | None
    text: str | None
    at_ms: Milliseconds


class ChatFrame(Frame, frozen=True, tag="chat"):
    """The last messages that this reader receives, and their chat settings."""

    messages: Sequence[Message]
    muted: Sequence[Author]
    free_text: bool
    silenced_until_ms: Milliseconds | None
    warned_ms: Milliseconds | None


class Said(Frame, frozen=True, tag="said"):
    """A message was stored; `id` is the one that its author's client gave it."""

    id: str
    number: Annotated[int, msgspec.Meta(ge=1)]
    author: Author
    seat: Seat | None
    audience: Audience
    phrase: Phrase | None
    text: str | None
    at_ms: Milliseconds


class Unsaid(Frame, frozen=True, tag="unsaid"):
    """A message was not stored."""

    id: str
    code: UnsaidCode
    message: str
    reason: Literal["login", "guest", "frozen", "excluded"] | msgspec.UnsetType = msgspec.UNSET
    until_ms: Milliseconds | msgspec.UnsetType = msgspec.UNSET
    scope: str | msgspec.UnsetType = msgspec.UNSET


class Reported(Frame, frozen=True, tag="reported"):
    """The moderators have a report about this message."""

    message: int


ServerFrame = (
    Welcome | Snapshot | Update | Accepted | Rejected | Failure | Pong | Advice | PresenceFrame
    | Fair | ChatFrame | Said | Unsaid | Reported
)  # fmt: skip


# --- where every reader has a view of their own ---------------------------------------------------

AnyView = TypeVar("AnyView")


class ViewSnapshot(Frame, Generic[AnyView], frozen=True, tag="snapshot"):
    """The view as it is now; there is no log."""

    seq: Seq
    now_ms: Milliseconds
    log: tuple[()]
    view: AnyView


class ViewUpdate(Frame, Generic[AnyView], frozen=True, tag="update"):
    """The view after a change; there are no events."""

    seq: Seq
    now_ms: Milliseconds
    events: tuple[()]
    view: AnyView


#: what such a socket sends beside its views.
ViewFrame = Welcome | Accepted | Rejected | Failure | Pong
