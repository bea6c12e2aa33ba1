"""Frames and stored events as JSON: the one place that reads and writes them.

docs/protocol.md describes in prose what is defined here as types. Client frames are parsed
strictly: an unknown type, a missing or an unknown field is an error, and the frame has no effect.
"""

from collections.abc import Hashable
from functools import lru_cache, partial
from typing import Annotated, Any, Final, TypeVar
from uuid import UUID

import msgspec

from games.table.commands import PlayerCommand
from games.table.events import AnyEvent, Event
from games.table.talk import (
    REPORT_WORDS_LENGTH_MAX,
    TEXT_LENGTH_MAX,
    Phrase,
    ReportReason,
)
from games.table.view_types import View

PROTOCOL: Final = 1

#: a frame longer than this is refused by the server before it is parsed.
FRAME_BYTES_MAX: Final = 16 * 1024


#: a sequence number as clients may name it.
Seq = Annotated[int, msgspec.Meta(ge=0, le=2**53)]

#: 32 bytes in small hexadecimal digits.
Bytes32 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

#: the number of a person, of a message, or of a game at a chouette.
Number = Annotated[int, msgspec.Meta(ge=1, le=2**53)]

#: free text before it is trimmed.
Line = Annotated[str, msgspec.Meta(max_length=2 * TEXT_LENGTH_MAX)]


class Resume(msgspec.Struct, frozen=True, tag="resume", forbid_unknown_fields=True):
    """Send what came after event `since`."""

    since: Seq


class Ping(msgspec.Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Answer with the server's time; `sent_ms` is returned."""

    sent_ms: float


class AnyCommandFrame(msgspec.Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A command at a table of any kind."""

    id: str
    seq: Seq
    command: Any


class CommandFrame(AnyCommandFrame, frozen=True, tag="command", forbid_unknown_fields=True):
    """Do something at the table; `id` makes a repetition harmless, `seq` the last number seen."""

    command: PlayerCommand


class Hint(msgspec.Struct, frozen=True, tag="hint", forbid_unknown_fields=True):
    """Send what the strongest house bot would do now (practice)."""


class DiceTip(msgspec.Struct, frozen=True, tag="dice_tip", forbid_unknown_fields=True):
    """A player's tip or commitment for a game's dice; sent again, it shows their presence."""

    game: UUID
    value: Bytes32


class DiceSeed(msgspec.Struct, frozen=True, tag="dice_seed", forbid_unknown_fields=True):
    """The seed of a player's commitment (mode K)."""

    game: UUID
    seed: Bytes32


class DiceElement(msgspec.Struct, frozen=True, tag="dice_element", forbid_unknown_fields=True):
    """A player's part in roll `n` of a game (mode L)."""

    game: UUID
    n: Seq
    element: Bytes32


DiceFrame = DiceTip | DiceSeed | DiceElement


class Chat(msgspec.Struct, frozen=True, tag="chat", forbid_unknown_fields=True):
    """Send the last messages of this table, and from now on every new one."""


class Say(msgspec.Struct, frozen=True, tag="say", forbid_unknown_fields=True):
    """Send a set phrase or a line of text, one of the two; `id` makes a repetition harmless."""

    id: str
    phrase: Phrase | msgspec.UnsetType = msgspec.UNSET
    text: Line | msgspec.UnsetType = msgspec.UNSET


class MutePerson(msgspec.Struct, frozen=True, tag="mute", forbid_unknown_fields=True):
    """Hide a person's messages at every table, or show them again; they do not notice."""

    person: Number
    on: bool


class FreeText(msgspec.Struct, frozen=True, tag="free_text", forbid_unknown_fields=True):
    """Receive free text, or set phrases only."""

    on: bool


class Report(msgspec.Struct, frozen=True, tag="report", forbid_unknown_fields=True):
    """Complain about a message of this table to the moderators."""

    message: Number
    reason: ReportReason
    words: Annotated[str, msgspec.Meta(max_length=REPORT_WORDS_LENGTH_MAX)] = ""


TalkFrame = Chat | Say | MutePerson | FreeText | Report
ClientFrame = Resume | Ping | CommandFrame | Hint | DiceFrame | TalkFrame

AnyFrame = TypeVar("AnyFrame")

COMMAND_ID_LENGTH_MAX: Final = 64


class BadFrame(ValueError):
    """A frame that is not part of the protocol; the text names the fault and its place."""

    code = "bad_frame"


class _Outline(msgspec.Struct, frozen=True):
    """The two fields by which an answer names the frame that it answers."""

    type: Any = None
    id: Any = None


_client_frames = msgspec.json.Decoder(ClientFrame)
_outlines = msgspec.json.Decoder(_Outline)
_events = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


def parse_with(frames: "msgspec.json.Decoder[AnyFrame]", text: str | bytes) -> AnyFrame:
    """The frame a client sent, as one of those that its socket takes. Raises `BadFrame`."""
    try:
        frame = frames.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise BadFrame(str(error)) from error
    if isinstance(frame, AnyCommandFrame | Say) and not _is_id(frame.id):
        most = COMMAND_ID_LENGTH_MAX
        raise BadFrame(f"an id has 1 to {most} printable characters - at `$.id`")
    if isinstance(frame, Say) and (frame.phrase is msgspec.UNSET) == (frame.text is msgspec.UNSET):
        raise BadFrame("either a phrase or a text is said - at `$`")
    return frame


parse_client: Final = partial(parse_with, _client_frames)


def outline(text: str | bytes) -> tuple[str | None, str | None]:
    """The type and the id of a client's frame, valid or not; None for each that it does not have.

    An id that could not be stored counts as none.
    """
    try:
        found = _outlines.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None, None
    kind = found.type if isinstance(found.type, str) else None
    return kind, found.id if isinstance(found.id, str) and _is_id(found.id) else None


def _is_id(text: str) -> bool:
    """Return True for an id that can be stored: no database stores every character."""
    return 0 < len(text) <= COMMAND_ID_LENGTH_MAX and text.isprintable()


def event_payload(event: Event) -> dict[str, Any]:
    """An event as a JSON object with its `type`, as it is stored."""
    payload: dict[str, Any] = msgspec.to_builtins(event)
    return payload


def event_type(event: Event) -> str:
    """The name of an event, as it is stored beside the event."""
    return str(event.__struct_config__.tag)


def event_from_payload(payload: dict[str, Any]) -> AnyEvent:
    """The event that was stored as this JSON object."""
    # over text, because converting builds the union of all events anew for each call (60 µs to 2)
    event: AnyEvent = _events.decode(_encoder.encode(payload))
    return event


def numbered(seq: int, text: str) -> msgspec.Raw:
    """An event that is a JSON object already, with its sequence number; it is put in as it is."""
    return msgspec.Raw(f'{{"seq":{seq},{text[1:]}')


def event_frame(seq: int, payload: dict[str, Any]) -> dict[str, Any]:
    """A stored event as clients see it, with its sequence number."""
    return {"seq": seq, **payload}


@lru_cache(maxsize=2048)  # a table has few of them, and tables on the same terms share them
def encoded(part: Hashable) -> msgspec.Raw:
    """A part of many frames as JSON, which is made once."""
    return msgspec.Raw(_encoder.encode(part))


def encode(value: object) -> str:
    """A frame, or a part of what is stored, as text."""
    return _encoder.encode(value).decode()


def in_parts(view: View) -> View:
    """A view to be sent: what many views have in common is JSON already."""
    return msgspec.structs.replace(view, terms=encoded(view.terms), stakes=encoded(view.stakes))
