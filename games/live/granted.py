"""The frames a program may send with the scopes of its token (accounts/scopes.py)."""

from collections.abc import Collection
from typing import Any

from accounts.scopes import frame_scope
from games.wire import ClientFrame, CommandFrame, Say
from games.wire.frames import Failure, Rejected, ServerFrame, Unsaid


def scope_refusal(frame: ClientFrame, granted: Collection[str] | None) -> ServerFrame | None:
    """The answer to a frame for which a scope is missing; None if it is allowed.

    `granted` are the scopes of the token, None for a page with a session.
    """
    if granted is None:
        return None
    command = frame.command.__struct_config__.tag if isinstance(frame, CommandFrame) else ""
    scope = frame_scope(str(frame.__struct_config__.tag), str(command))
    if scope in granted:
        return None
    refusal = {"code": "scope_missing", "message": f"this token lacks the scope '{scope}'"}
    named: dict[str, Any] = refusal if scope is None else {**refusal, "scope": str(scope)}
    match frame:
        case CommandFrame():
            return Rejected(id=frame.id, seq=frame.seq, **named)
        case Say():
            return Unsaid(id=frame.id, **named)
    return Failure(**named)
