"""Errors that name what they answer: the type of the frame, and its id if it has one."""

from typing import Any, TypeVar, get_args

import msgspec

from games.wire import ClientFrame, outline
from games.wire.frames import Failure

FRAME_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in get_args(ClientFrame))

Answer = TypeVar("Answer")


def answering(frame: ClientFrame, answer: Answer) -> Answer:
    """An answer; an error gets the type of the frame that it answers."""
    if isinstance(answer, Failure):
        return msgspec.structs.replace(answer, frame=str(frame.__struct_config__.tag))
    return answer


def unread(data: bytes, code: str, message: str) -> Failure:
    """The error for a frame that was not carried out, whether it could be parsed or not."""
    kind, frame_id = outline(data)
    named: dict[str, Any] = {"frame": kind} if kind in FRAME_TYPES else {}
    if frame_id is not None:
        named["id"] = frame_id
    return Failure(code=code, message=message, **named)
