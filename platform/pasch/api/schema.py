"""The OpenAPI description: authentication, and the answer for unknown addresses."""

from threading import Lock
from typing import Any, Final

from django.http import HttpRequest, JsonResponse
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import (
    OpenApiAuthenticationExtension,
    OpenApiSerializerExtension,
)
from drf_spectacular.views import SpectacularJSONAPIView

_ONE_AT_A_TIME: Final = Lock()


class SchemaApi(SpectacularJSONAPIView):
    """The description, made by one thread at a time.

    drf-spectacular imports the targets of its extensions at the first request and sets those of
    packages that are not installed to None, which another thread at the same place trips over.
    """

    def _get_schema_response(self, request: Any) -> Any:
        with _ONE_AT_A_TIME:
            return super()._get_schema_response(request)  # type: ignore[no-untyped-call]  # theirs


class PageSessionDescription(SessionScheme):
    """The session in the schema: a cookie."""

    target_class = "pasch.api.access.PageSession"


class BotTokenDescription(OpenApiAuthenticationExtension):
    """A bot's token in the schema."""

    target_class = "pasch.api.access.BotToken"
    name = "botToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A token in the usual header."""
        about = "A bot's token. `x-token-scope` of an operation names the scope that it needs."
        return {"type": "http", "scheme": "bearer", "description": about}


class StrictDescription(OpenApiSerializerExtension):
    """An input in the schema: it has no other fields."""

    target_class = "kit.api.StrictSerializer"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> Any:
        """The serializer as it is, and closed."""
        part = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**part, "additionalProperties": False}


def scopes_declare(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to every operation the scope that a token needs, or that no token may use it."""
    from accounts.scopes import OPERATIONS

    for verbs in result["paths"].values():
        for operation in verbs.values():
            scope = OPERATIONS.get(operation["operationId"])
            if scope is not None:
                operation["x-token-scope"] = str(scope)
            else:
                ways = operation.get("security", [])
                operation["security"] = [way for way in ways if BotTokenDescription.name not in way]
    return result


def no_such_address(request: HttpRequest) -> JsonResponse:
    """Answer an address the interface does not have in the shape of every refusal."""
    answer = {"code": "not_found", "message": "There is nothing at this address."}
    return JsonResponse(answer, status=404)
