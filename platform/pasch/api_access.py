"""How programs come in. The framework imports this while it loads: nothing of it but this."""

from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request


class PageSession(SessionAuthentication):
    """The session of the web page; whoever has none is told to log in (401), not turned away."""

    def authenticate_header(self, request: Request) -> str:
        """Name the scheme, without which the framework would answer 403."""
        return 'Session realm="pasch"'
