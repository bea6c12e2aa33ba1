"""The common parts of all operations: checked input, pages of a list, listed refusals."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

from django.db.models import Model, QuerySet
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer, MultipleChoiceField, Serializer

from ledger.api.serializers import ErrorSerializer

Handler = TypeVar("Handler", bound=Callable[..., Any])
Row = TypeVar("Row", bound=Model)

REFUSALS: Mapping[int, str] = {
    400: "The request is not valid; `fields` says where.",
    401: "Nobody is logged in.",
    403: "This player may not do this, or the wallet is frozen.",
    404: "There is no such thing, or it is somebody else's.",
    409: "The books refuse; `code` says why. Nothing was changed.",
    429: "Too many requests.",
}
ALWAYS = (401, 403, 429)


def described(
    *,
    answer: Any,
    refusals: tuple[int, ...] = (),
    status: int = 200,
    **schema: Any,
) -> Callable[[Handler], Handler]:
    """Describe an operation for the schema: its answer and every refusal it may give."""
    responses: dict[int, Any] = {status: answer}
    for code in sorted({*ALWAYS, *refusals}):
        responses[code] = OpenApiResponse(ErrorSerializer, description=REFUSALS[code])
    describe = extend_schema(responses=responses, **schema)

    def decorate(handler: Handler) -> Handler:
        decorated = describe(handler)
        # pasch.api.access looks it up for tokens.
        cast("Any", decorated).operation_id = schema["operation_id"]
        return decorated

    return decorate


def checked(serializer: type[Serializer], data: Any) -> dict[str, Any]:
    """The input as the serializer understands it. Raises the framework's `ValidationError`."""
    understood = serializer(data=data)
    understood.is_valid(raise_exception=True)
    return dict(understood.validated_data)


def query_of(request: Request, serializer: type[Serializer]) -> dict[str, Any]:
    """The parameters of the address; an empty one is wrong, not missing.

    Raises the framework's `ValidationError`.
    """
    fields = serializer().fields
    given = {
        name: values if isinstance(fields.get(name), MultipleChoiceField) else values[-1]
        for name, values in request.query_params.lists()
    }
    return checked(serializer, given)


def page_of(
    rows: QuerySet[Row],
    number: str,
    serializer: type[BaseSerializer],
    *,
    limit: int,
    before: int | None = None,
) -> dict[str, Any]:
    """The newest `limit` rows whose field `number` is below `before`, and where to go on."""
    if before is not None:
        rows = rows.filter(**{f"{number}__lt": before})
    found = list(rows[: limit + 1])
    shown = found[:limit]
    more = len(found) > limit
    return {
        "results": serializer(shown, many=True).data,
        "next_before": getattr(shown[-1], number) if more else None,
    }
