"""Authentication of API requests. REST framework imports this module while it loads."""

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request


class PageSession(SessionAuthentication):
    """The session of the web pages; without one the answer is 401, not 403."""

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, without which the framework would answer 403."""
        return 'Session realm="pasch"'


class BotToken(BaseAuthentication):
    """A bot's token, in the header `Authorization: Bearer pasch_…`."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """The bot and its token; None without such a header. Raises `AuthenticationFailed`."""
        from accounts.tokens import bearer, token_find

        given = bearer(request.headers.get("Authorization", ""))
        if given is None:
            return None
        token = token_find(given)
        if token is None:
            raise AuthenticationFailed("This token is unknown or was revoked.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme."""
        return 'Bearer realm="pasch"'


class ScopeMissing(PermissionDenied):
    """The token lacks the scope that the operation needs; `scope` names it."""

    default_code = "scope_missing"

    def __init__(self, scope: str) -> None:
        super().__init__(f"This token lacks the scope '{scope}'.")
        self.fields = {"scope": scope}


class NotForTokens(PermissionDenied):
    """The operation is for people alone, whatever scopes a token has."""

    default_code = "not_for_tokens"
    default_detail = "No token may do this; log in on the pages."


class TokenScope(BasePermission):
    """Programs with a token reach what a scope of it stands for in `accounts.scopes.OPERATIONS`.

    An operation without a line there is refused to every token.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the request may go on. Raises `ScopeMissing`, `NotForTokens`."""
        from accounts.scopes import OPERATIONS

        if request.auth is None:
            return True
        handler = getattr(view, str(request.method).lower(), None)
        scope = OPERATIONS.get(getattr(handler, "operation_id", ""))
        if scope is None:
            raise NotForTokens
        token: Any = request.auth
        if scope not in token.scopes:
            raise ScopeMissing(scope)
        return True
