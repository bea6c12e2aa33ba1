"""The shapes of chouettes for programs. Amounts are whole cents, times milliseconds (`…_ms`)."""

from typing import Any, get_args

import msgspec
from rest_framework import serializers

from games.chouette.commands import AnyCommand
from games.chouette.engine import events as ev
from games.chouette.engine.state import Phase
from games.chouette.engine.terms import Consulting, Cubes, LoneTaker
from kit.api import StrictSerializer, WholeField, YesOrNoField

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


class ChouetteTermsSerializer(serializers.Serializer):
    """The terms of a table, fixed when it was opened."""

    rate_cents = serializers.IntegerField()
    limit_points = serializers.IntegerField(allow_null=True)
    limit_cents = serializers.IntegerField()
    rake_bps = serializers.IntegerField()
    jacoby = serializers.BooleanField()
    beavers = serializers.BooleanField()
    consulting = serializers.ChoiceField(choices=CONSULTING)
    cubes = serializers.ChoiceField(choices=CUBES)
    lone_taker = serializers.ChoiceField(choices=LONE_TAKER)
    cube_cap = serializers.IntegerField()


class ChouettePersonSerializer(serializers.Serializer):
    """A person at the table, in the order of the list."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    elo = serializers.IntegerField(allow_null=True)
    strength = serializers.IntegerField(allow_null=True)
    bot = serializers.BooleanField()
    role = serializers.ChoiceField(choices=("box", "captain", "crew", "joining"))
    acts = serializers.BooleanField(help_text="Whether they move in the captain's place.")
    away = serializers.BooleanField()
    leaves_after = serializers.BooleanField()
    bank_ms = serializers.IntegerField()


class MemberCubeSerializer(serializers.Serializer):
    """A member's cube; `my_choice` is null in everybody else's view."""

    player = serializers.IntegerField()
    value = serializers.IntegerField()
    owner = serializers.ChoiceField(choices=SIDES, allow_null=True)
    settled = serializers.BooleanField()
    box_points = serializers.IntegerField(allow_null=True)
    how = serializers.ChoiceField(choices=get_args(ev.How), allow_null=True)
    state = serializers.ChoiceField(
        choices=("out", "offered", "beavered", "decided", "thinking", "idle")
    )
    my_choice = serializers.BooleanField(allow_null=True)


class OfferedCubeSerializer(serializers.Serializer):
    """A member's cube that is offered, or can be."""

    player = serializers.IntegerField()
    value = serializers.IntegerField(help_text="What it shows before the offer.")
    may_beaver = serializers.BooleanField(required=False)
    may_take = serializers.BooleanField(
        required=False, help_text="False for a lone taker who must beaver or drop."
    )
    take_may_return = serializers.BooleanField(
        required=False, help_text="Whether your take becomes a drop if you are the only taker."
    )


class BeaverSerializer(serializers.Serializer):
    """A beaver that waits for an answer."""

    player = serializers.IntegerField(required=False, help_text="Absent where it is your cube.")
    value = serializers.IntegerField(help_text="What the cube shows if it is accepted.")
    lose = serializers.IntegerField(help_text="The points that giving up costs.")


class DecideSerializer(serializers.Serializer):
    """Your own cube before the roll."""

    value = serializers.IntegerField(help_text="What it shows now.")


class ChouetteActionsSerializer(serializers.Serializer):
    """The commands that you may give now, named as in `do`; the others are absent."""

    sit = serializers.BooleanField(required=False)
    stand_up = serializers.BooleanField(required=False)
    leave_after = serializers.BooleanField(required=False)
    start = serializers.BooleanField(required=False, help_text="Begin the next game now.")
    invite_bot = serializers.BooleanField(required=False)
    play = serializers.BooleanField(required=False, help_text="Play the dice: see `graph`.")
    decide = DecideSerializer(required=False, help_text="Double with your cube, or not.")
    box_doubles = OfferedCubeSerializer(
        many=True, required=False, help_text="The cubes with which the box may double."
    )
    answer = OfferedCubeSerializer(required=False, help_text="The box doubles your cube.")
    box_answers = OfferedCubeSerializer(
        many=True, required=False, help_text="The cubes with which members double the box."
    )
    beaver_answer = BeaverSerializer(required=False, help_text="The box beavers your double.")
    box_beaver_answers = BeaverSerializer(
        many=True, required=False, help_text="The members who beaver the box's double."
    )
    advise = serializers.BooleanField(required=False, help_text="Show the captain a play.")
    confer = serializers.BooleanField(required=False, help_text="Write to the crew.")


class ChouetteViewSerializer(serializers.Serializer):
    """A table as you see it, and in `actions` what you may do now."""

    id = serializers.UUIDField()
    seq = serializers.IntegerField(help_text="The number of the newest event.")
    now_ms = serializers.IntegerField()
    turn = serializers.IntegerField(help_text="Decisions are sent with it.")
    terms = ChouetteTermsSerializer()
    closed = serializers.BooleanField()
    phase = serializers.ChoiceField(choices=PHASES)
    game = serializers.IntegerField()
    me = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=SIDES, allow_null=True)
    people = ChouettePersonSerializer(many=True)
    names = serializers.DictField(child=serializers.CharField())
    cubes = MemberCubeSerializer(many=True)
    on_roll = serializers.ChoiceField(choices=SIDES, allow_null=True)
    board = serializers.DictField(help_text="In your numbers: `points`, `bar`, `off`.")
    pips = serializers.ListField(child=serializers.IntegerField())
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    roll_off = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    last_play = serializers.DictField(allow_null=True)
    graph = serializers.ListField(
        child=serializers.ListField(
            child=serializers.ListField(child=serializers.IntegerField()),
        ),
        allow_null=True,
        help_text="The legal plays: `[[[from, to, die, next], …], …]`.",
    )
    actions = ChouetteActionsSerializer(help_text="What you may do now, by command.")
    waits_for = serializers.ListField(child=serializers.IntegerField())
    deadline_ms = serializers.IntegerField(allow_null=True)
    clock = serializers.DictField(allow_null=True)
    next_game_ms = serializers.IntegerField(allow_null=True)
    leave_costs = serializers.DictField(child=serializers.IntegerField(), allow_null=True)
    points = serializers.DictField(help_text="`pairs` and `totals`.")
    ledger = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="What everybody has won here in cents; null without credits.",
    )
    games = serializers.ListField(child=serializers.DictField())
    talk = serializers.ListField(child=serializers.DictField())
    fair = serializers.DictField(allow_null=True, help_text="The dice (docs/dice.md).")
    dice_seat = serializers.IntegerField(
        allow_null=True, help_text="0 for the box, 1 for the captain: parts come from both."
    )


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
