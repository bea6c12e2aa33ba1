"""The description of the interface: how one comes in, and where there is nothing."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class PageSessionDescription(SessionScheme):
    """The session in the schema: a cookie."""

    target_class = "pasch.api_access.PageSession"


class BotTokenDescription(OpenApiAuthenticationExtension):
    """A bot's token in the schema."""

    target_class = "pasch.api_access.BotToken"
    name = "botToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """A token in the usual header."""
        return {"type": "http", "scheme": "bearer"}


def no_such_address(request: HttpRequest) -> JsonResponse:
    """Answer an address the interface does not have in the shape of every refusal."""
    answer = {"code": "not_found", "message": "There is nothing at this address."}
    return JsonResponse(answer, status=404)
