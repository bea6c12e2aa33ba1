"""The description of the interface: how one comes in, and where there is nothing."""

from django.http import HttpRequest, JsonResponse
from drf_spectacular.authentication import SessionScheme


class PageSessionDescription(SessionScheme):
    """The session in the schema: a cookie."""

    target_class = "pasch.api_access.PageSession"


def no_such_address(request: HttpRequest) -> JsonResponse:
    """Answer an address the interface does not have in the shape of every refusal."""
    answer = {"code": "not_found", "message": "There is nothing at this address."}
    return JsonResponse(answer, status=404)
