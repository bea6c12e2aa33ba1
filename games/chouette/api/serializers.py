"""The shapes of chouettes for programs. Amounts are whole cents, times milliseconds (`…_ms`)."""

from typing import Any, get_args

import msgspec
from rest_framework import serializers

from games.chouette.commands import AnyCommand
from games.chouette.engine import events as ev
from games.chouette.engine.state import Phase
from games.chouette.engine.terms import Consulting, Cubes, LoneTaker
from games.chouette.frames import ChouetteView
from kit.api import StrictSerializer, WholeField, YesOrNoField
from kit.described_types import serializer_of

SIDES = get_args(ev.Side)
CONSULTING = get_args(Consulting)
CUBES = get_args(Cubes)
LONE_TAKER = get_args(LoneTaker)
PHASES = get_args(Phase)
MOST = 10_000


class ChouetteWishesSerializer(StrictSerializer):
    """The wishes for a new table: its rate and limit, and its rules."""

    rate_cents = WholeField(
        min_value=0, max_value=MOST, default=0, help_text="What a point is worth: 0 for no credits."
    )
    limit_points = WholeField(
        min_value=1, max_value=MOST, default=8, help_text="The most points of a pair in a game."
    )
    consulting = serializers.ChoiceField(
        choices=CONSULTING, default="own_cube", help_text="When members may advise the captain."
    )
    cubes = serializers.ChoiceField(
        choices=CUBES, default="each", help_text="A cube for each member, or one for the team."
    )
    jacoby = YesOrNoField(default=True)
    beavers = YesOrNoField(default=True, help_text="With one cube there are none.")
    lone_taker = serializers.ChoiceField(
        choices=LONE_TAKER,
        default="free",
        help_text="`beavers`: a member who alone takes a double by the box must beaver or drop.",
    )
    bots = WholeField(
        min_value=0, max_value=6, default=0, help_text="House bots; only without credits."
    )


class ChouetteSerializer(serializers.Serializer):
    """An open table in the list."""

    id = serializers.UUIDField()
    names = serializers.ListField(child=serializers.CharField())
    people_count = serializers.IntegerField()
    places_free = serializers.IntegerField()
    rate_cents = serializers.IntegerField()
    limit_cents = serializers.IntegerField()
    game = serializers.IntegerField(help_text="The number of the last game that began.")
    is_mine = serializers.BooleanField(help_text="Whether you sit there.")
    is_full = serializers.BooleanField()
    consulting = serializers.ChoiceField(choices=CONSULTING)
    cubes = serializers.ChoiceField(choices=CUBES)
    lone_taker = serializers.ChoiceField(choices=LONE_TAKER)
    jacoby = serializers.BooleanField()
    beavers = serializers.BooleanField()
    bots = serializers.IntegerField()


ChouetteViewSerializer = serializer_of(ChouetteView)

Json = dict[str, Any]


def commands_schema() -> Json:
    """One schema for each command, from its type; `do` tells them apart."""
    (every,), named = msgspec.json.schema_components([AnyCommand], ref_template="{name}")
    return {"oneOf": [_as_call(_without_tuples(named[each["$ref"]])) for each in every["anyOf"]]}


def _as_call(schema: Json) -> Json:
    """The same with `do` in the place of `type`."""
    named = {"do" if name == "type" else name: each for name, each in schema["properties"].items()}
    required = ["do" if name == "type" else name for name in schema["required"]]
    return {**schema, "properties": named, "required": required}


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
