"""The protocol as a JSON Schema (2020-12), made from the types of the frames."""

from typing import Any, Final

import msgspec

from games.table.events import AnyEvent
from games.wire import COMMAND_ID_LENGTH_MAX, ClientFrame
from games.wire.frames import ServerFrame

Schema = dict[str, Any]

#: where the parts of the schema lie, to check one kind of frame alone.
CLIENT: Final = "#/$defs/FromClient"
SERVER: Final = "#/$defs/FromServer"
EVENT: Final = "#/$defs/Event"

_REF: Final = "#/$defs/{name}"
_SEQ: Final[Schema] = {"type": "integer", "minimum": 1}


def protocol_schema() -> Schema:
    """Every frame in both directions. Events are closed: they have their fields and no other."""
    (client, server, event), parts = msgspec.json.schema_components(
        (ClientFrame, ServerFrame, AnyEvent), ref_template=_REF
    )
    for name in event["discriminator"]["mapping"].values():
        _close_event(parts[name.rpartition("/")[2]])
    for name, field in (("Update", "events"), ("Snapshot", "log")):
        parts[name]["properties"][field]["items"] = {"$ref": EVENT}
    _name_the_ids(parts)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The table protocol",
        "description": "Frames of a table's WebSocket; docs/protocol.md says what they mean.",
        "anyOf": [{"$ref": CLIENT}, {"$ref": SERVER}],
        "$defs": {
            "FromClient": client,
            "FromServer": server,
            "Event": event,
            **dict(sorted(parts.items())),
        },
    }


def _close_event(part: Schema) -> None:
    """An event as clients get it: numbered, and without the fields that stay on the server."""
    part["properties"] = {"seq": _SEQ, **part["properties"]}
    part["required"] = ["seq", *part["required"]]
    part["additionalProperties"] = False


def _name_the_ids(parts: dict[str, Schema]) -> None:
    """The parser's checks besides the types: lengths of ids, and a phrase or a text but not both.

    Draft 2020-12 has no word for "printable"; the parser is stricter than the schema there.
    """
    for name in ("CommandFrame", "Say"):
        parts[name]["properties"]["id"] |= {"minLength": 1, "maxLength": COMMAND_ID_LENGTH_MAX}
    parts["Say"]["oneOf"] = [{"required": ["phrase"]}, {"required": ["text"]}]
