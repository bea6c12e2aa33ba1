"""The JSON Schema of the protocol as TypeScript declarations, for the scripts of the pages.

It understands what `games.wire.schema` writes. Each definition becomes an exported type of the same
name: objects interfaces, everything else aliases. Lengths, limits and patterns have no TypeScript.
"""

from typing import Any, Final

from games.wire.schema import Schema, protocol_schema

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
