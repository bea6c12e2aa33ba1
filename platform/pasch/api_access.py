"""How programs come in. The framework imports this while it loads: nothing of it but this."""

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request


class PageSession(SessionAuthentication):
    """The session of the web page; whoever has none is told to log in (401), not turned away."""

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, without which the framework would answer 403."""
        return 'Session realm="pasch"'


class BotToken(BaseAuthentication):
    """A bot's token, in the header `Authorization: Bearer pasch_…`."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        """The bot whose token it is; None without such a header. Raises `AuthenticationFailed`."""
        from accounts.tokens import bearer, token_user

        token = bearer(request.headers.get("Authorization", ""))
        if token is None:
            return None
        user = token_user(token)
        if user is None:
            raise AuthenticationFailed("This token is unknown or was revoked.")
        return user, None

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme."""
        return 'Bearer realm="pasch"'
