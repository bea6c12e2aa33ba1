"""Chouettes for programs: list, open, look, and every command of a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from django.http import Http404
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from games.api.operations import PlayerApi
from games.api.wishes import NotOffered
from games.chouette.api.serializers import (
    ChouetteSerializer,
    ChouetteViewSerializer,
    ChouetteWishesSerializer,
    commands_schema,
)
from games.chouette.commands import command_from
from games.chouette.errors import NoSuchChouette
from games.chouette.models import Circle
from games.chouette.selectors import chouette_get, tables_open
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.chouette.view import chouette_view
from games.table.errors import BadTerms
from kit.api import checked, described
from kit.requests import SignedInApiRequest


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
