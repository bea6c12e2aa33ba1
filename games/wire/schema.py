"""The protocol as a JSON Schema (2020-12), made from the types of the frames, and as TypeScript."""

from inspect import cleandoc
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

#: the frames of other kinds of tables, by their keys: what clients send, and what the server does.
_others: Final[dict[str, tuple[Any, Any]]] = {}

_REF: Final = "#/$defs/{name}"
_SEQ: Final[Schema] = {"type": "integer", "minimum": 1}


def frames_register(key: str, client: Any, server: Any) -> None:
    """Add the frames of a kind of table, each as a union of types."""
    _others[key] = client, server


def client_at(key: str) -> str:
    """Where the frames lie that clients send to a table of this kind."""
    return f"{CLIENT}At{key.capitalize()}"


def server_at(key: str) -> str:
    """Where the frames lie that a table of this kind sends."""
    return f"{SERVER}At{key.capitalize()}"


def protocol_schema() -> Schema:
    """Every frame in both directions. Events are closed: they have their fields and no other."""
    unions = {CLIENT: ClientFrame, SERVER: ServerFrame}
    for key, (client, server) in _others.items():
        unions |= {client_at(key): client, server_at(key): server}
    (event, *frames), parts = msgspec.json.schema_components(
        (AnyEvent, *unions.values()), ref_template=_REF
    )
    for name in event["discriminator"]["mapping"].values():
        _close_event(parts[name.rpartition("/")[2]])
    for name, field in (("Update", "events"), ("Snapshot", "log")):
        parts[name]["properties"][field]["items"] = {"$ref": EVENT}
    _name_the_ids(parts)
    for part in parts.values():
        if "description" in part:  # from Python 3.13 on docstrings have no indentation
            part["description"] = cleandoc(part["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The table protocol",
        "description": "Frames of a table's WebSocket; docs/protocol.md says what they mean.",
        "anyOf": [{"$ref": each} for each in unions],
        "$defs": {
            **{
                each.rpartition("/")[2]: schema for each, schema in zip(unions, frames, strict=True)
            },
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
    for name, part in parts.items():
        if name.endswith(("CommandFrame", "Say")):
            part["properties"]["id"] |= {"minLength": 1, "maxLength": COMMAND_ID_LENGTH_MAX}
        if name.endswith("Say"):
            part["oneOf"] = [{"required": ["phrase"]}, {"required": ["text"]}]


LINE_LENGTH_MAX: Final = 100

_HEAD: Final = """\
// The frames of a table's WebSocket. Written by `manage.py frames_types` from the types in
// games/wire; docs/protocol.md says what they mean. Change those types, then run the command again.
// A script names one so: @typedef {import("./types/frames.js").View} View
"""

_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def frames_declarations() -> str:
    """The text of static/js/types/frames.d.ts."""
    definitions = protocol_schema()["$defs"]
    return "\n".join([_HEAD, *(_declaration(*each) for each in sorted(definitions.items()))])


def _declaration(name: str, part: Schema) -> str:
    text = f"/** {part['description']} */\n" if "description" in part else ""
    if "properties" not in part:
        return f"{text}{_lines(f'export type {name} = {_type(part)};', '  ')}\n"
    required = part.get("required", ())
    fields = [
        _field(field, kind, optional=field not in required)
        for field, kind in part["properties"].items()
    ]
    return "\n".join([f"{text}export interface {name} {{", *fields, "}", ""])


def _field(name: str, kind: Schema, *, optional: bool) -> str:
    return _lines(f"  {name}{'?' if optional else ''}: {_type(kind)};", "    ")


def _lines(line: str, indent: str) -> str:
    """One line, or one for each part of a union that would be too long."""
    return line if len(line) <= LINE_LENGTH_MAX else line.replace(" | ", f"\n{indent}| ")


def _type(kind: Schema) -> str:
    """The TypeScript of one schema. Raises `KeyError` for a keyword that the schema never has."""
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if "anyOf" in kind:
        return " | ".join(map(_type, kind["anyOf"]))
    if "enum" in kind:
        return " | ".join(map(_literal, kind["enum"]))
    if "prefixItems" in kind:
        return f"[{', '.join(map(_type, kind['prefixItems']))}]"
    if "items" in kind:
        item = _type(kind["items"])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if kind.get("type") == "array":
        return "unknown[]"
    if isinstance(kind.get("additionalProperties"), dict):
        return f"{{ [name: string]: {_type(kind['additionalProperties'])} }}"
    return _PLAIN[kind["type"]] if "type" in kind else "unknown"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
