"""Checks every frame that a test receives against the published schema."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from games.wire.schema import CLIENT, EVENT, SERVER, client_at, protocol_schema, server_at


@cache
def _by_type(part: str) -> dict[str, Draft202012Validator]:
    """A validator for each type of frame or event, so that a mistake is named where it is."""
    schema = protocol_schema()
    mapping = schema["$defs"][part.rpartition("/")[2]]["discriminator"]["mapping"]
    return {
        kind: Draft202012Validator({"$ref": reference, "$defs": schema["$defs"]})
        for kind, reference in mapping.items()
    }


def mistakes(frame: Any, part: str = SERVER) -> list[str]:
    """The errors of a frame of the server, of a client (`CLIENT`), or of an `EVENT`.

    `part` is `client_at` or `server_at` for the frames of another kind of table.
    """
    if not isinstance(frame, dict) or frame.get("type") not in _by_type(part):
        return [f"there is no such type: {frame!r:.80}"]
    found = _by_type(part)[frame["type"]].iter_errors(frame)
    return [f"{frame['type']}: {error.instance_path}: {error.message:.200}" for error in found]


def spoiled(value: Any) -> Iterator[Any]:
    """The same value with something else in one place: once for every place in it."""
    yield {"?": []}
    if isinstance(value, dict | list):
        for place, part in value.items() if isinstance(value, dict) else enumerate(value):
            for other in spoiled(part):
                copy = value.copy()
                copy[place] = other
                yield copy


__all__ = ["CLIENT", "EVENT", "SERVER", "client_at", "mistakes", "server_at", "spoiled"]
