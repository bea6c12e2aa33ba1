"""Chouettes for programs: list, open, look, and every command of a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args
from uuid import UUID

import msgspec
from django.http import Http404
from django.urls import path
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from games.api.operations import PlayerApi
from games.api.wishes import NotOffered
from games.chouette.commands import AnyCommand, command_from
from games.chouette.engine import events as ev
from games.chouette.engine.state import Phase
from games.chouette.engine.terms import Consulting, Cubes, LoneTaker
from games.chouette.errors import NoSuchChouette
from games.chouette.frames import ChouetteView
from games.chouette.models import Circle
from games.chouette.selectors import chouette_get, tables_open
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.chouette.view import chouette_view
from games.table.errors import BadTerms
from kit.api import StrictSerializer, WholeField, YesOrNoField, checked, described, serializer_of
from kit.requests import SignedInApiRequest

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


class ChouettesApi(PlayerApi):
    """The open chouettes."""

    @described("chouettes_list", answer=ChouetteSerializer(many=True))
    def get(self, request: SignedInApiRequest) -> Response:
        """The open chouettes: your own first, then those with room."""
        return Response(ChouetteSerializer(tables_open(request.user.pk), many=True).data)


class ChouetteOpenApi(PlayerApi):
    """Open a chouette."""

    @described(
        "chouettes_open",
        answer=ChouetteViewSerializer,
        status=201,
        request=ChouetteWishesSerializer,
        refusals=(400, 409),
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Open a chouette and sit down. No credits move before a game begins."""
        wishes = checked(ChouetteWishesSerializer, request.data)
        with refusals():
            circle = circle_open(user=request.user, **wishes)
        return _shown(circle, request, status=201)


class ChouetteApi(PlayerApi):
    """One chouette."""

    @described("chouettes_get", answer=ChouetteViewSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, circle_id: UUID) -> Response:
        """A chouette as you see it, and what you may do now."""
        circle = chouette_get(circle_id)
        if circle is None:
            raise Http404
        return _shown(circle, request)


class ChouetteDoApi(PlayerApi):
    """Do something at a chouette."""

    @described(
        "chouettes_do",
        answer=ChouetteViewSerializer,
        request={"application/json": commands_schema()},
        refusals=(400, 404, 409),
    )
    def post(self, request: SignedInApiRequest, circle_id: UUID) -> Response:
        """Sit down, decide, play, give a part in the dice, stand up; the answer is the new view.

        A decision carries the `turn` of the view that it answers. Later it is refused (`stale`).
        """
        try:
            command = command_from(request.data)
        except msgspec.ValidationError as error:
            raise ValidationError({"do": [str(error)]}) from error
        with refusals():
            chouette_command(user=request.user, circle_id=circle_id, command=command)
        return _shown(Circle.objects.get(pk=circle_id), request)


@contextmanager
def refusals() -> Iterator[None]:
    """Refuse as the rest of the interface does: 404, and `not_offered` with the wrong field."""
    try:
        yield
    except NoSuchChouette as error:
        raise Http404 from error
    except BadTerms as error:
        raise NotOffered(str(error), field=str(error.fields["field"])) from error


def _shown(circle: Circle, request: SignedInApiRequest, status: int = 200) -> Response:
    view: Any = chouette_view(circle, request.user.pk)
    return Response(msgspec.to_builtins(view, str_keys=True), status=status)


urlpatterns = [
    path("chouettes/", ChouettesApi.as_view(), name="api_chouettes"),
    path("chouettes/open/", ChouetteOpenApi.as_view(), name="api_chouette_open"),
    path("chouettes/<uuid:circle_id>/", ChouetteApi.as_view(), name="api_chouette"),
    path("chouettes/<uuid:circle_id>/do/", ChouetteDoApi.as_view(), name="api_chouette_do"),
]
