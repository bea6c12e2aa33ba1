"""The shared parts of operations on tables and matches: checked input and listed refusals."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from games.api.serializers import RefusalSerializer
from games.live.presence import person_seen

Handler = TypeVar("Handler", bound=Callable[..., Any])

REFUSALS = {
    400: "The request is not valid, or the house has no such table on offer.",
    401: "Nobody is logged in.",
    403: "This player may not do this.",
    404: "There is no such thing.",
    409: "The table refuses; `code` says why. Nothing was changed.",
    429: "Too many requests.",
}
ALWAYS = (401, 403, 429)


class PlayerApi(APIView):
    """An operation of a player. Each request counts as a sign of life, as on the pages.

    So a table that a program opens stays open for as long as its owner requests anything here, or
    has a socket open, and for a minute after that (`games.live.presence.GONE_SECONDS`).
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the sender of a request, and record their presence, before anything is done."""
        super().initial(request, *args, **kwargs)
        if request.user.pk is not None:
            person_seen(request.user.pk)


def described(
    *, answer: Any, refusals: tuple[int, ...] = (), status: int = 200, **more: Any
) -> Callable[[Handler], Handler]:
    """Describe an operation for the schema: its answer and every refusal it may give."""
    responses: dict[int, Any] = {status: answer}
    for code in sorted({*ALWAYS, *refusals}):
        responses[code] = OpenApiResponse(RefusalSerializer, description=REFUSALS[code])
    describe = extend_schema(responses=responses, **more)

    def decorate(handler: Handler) -> Handler:
        decorated = describe(handler)
        # pasch.api.access looks it up for tokens.
        cast("Any", decorated).operation_id = more["operation_id"]
        return decorated

    return decorate


def checked(serializer: type[Serializer], data: Any) -> dict[str, Any]:
    """The input as the serializer understands it. Raises the framework's `ValidationError`."""
    understood = serializer(data=data)
    understood.is_valid(raise_exception=True)
    return dict(understood.validated_data)
