"""The commands of a chouette as the schema of the interface describes them."""

from typing import Any

import msgspec

from chouette.commands import AnyCommand

Json = dict[str, Any]


def commands_schema() -> Json:
    """One schema for each command, from its type; `do` tells them apart."""
    (every,), named = msgspec.json.schema_components([AnyCommand], ref_template="{name}")
    return {"oneOf": [_without_tuples(named[each["$ref"]]) for each in every["anyOf"]]}


def _without_tuples(schema: Any) -> Any:
    """The same in OpenAPI 3.0, which has no `prefixItems`: all items of our tuples are alike."""
    if isinstance(schema, list):
        return [_without_tuples(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _without_tuples(each) for name, each in schema.items() if name != "prefixItems"}
    if "prefixItems" in schema:
        plain["items"] = schema["prefixItems"][0]
    return plain
