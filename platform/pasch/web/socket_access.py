"""Access to the WebSockets: pages of this house, and programs with a token."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.http.request import split_domain_port, validate_host

from accounts.scopes import SOCKETS
from accounts.tokens import bearer, token_find

Scope = dict[str, Any]
App = Callable[[Any, Any, Any], Awaitable[None]]


class BotDoor:
    """Logs in connections with a bot's token; all others are treated as pages.

    A browser cannot send this header to a WebSocket, so no page of a stranger can use it, and the
    origin need not be checked. A token that is unknown or revoked is refused (403), and so is one
    without the scope that the address needs (`accounts.scopes.SOCKETS`).
    """

    def __init__(self, bots: App, *, pages: App) -> None:
        self.bots = bots
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        headers = dict(scope["headers"])
        token = bearer(headers.get(b"authorization", b"").decode("latin-1"))
        if token is None:
            await self.pages(scope, receive, send)
            return
        found = await database_sync_to_async(token_find)(token)
        if found is None or _scope_of(scope["path"]) not in found.scopes:
            await send({"type": "websocket.close"})
            return
        granted = frozenset(found.scopes)
        await self.bots({**scope, "user": found.user, "granted": granted}, receive, send)


def _scope_of(path: str) -> str | None:
    """The scope that a token needs for this address; None: no token may come in here."""
    parts = path.strip("/").split("/")
    return SOCKETS.get(parts[1]) if len(parts) > 1 else None


class OwnPages:
    """Accepts pages of this house only: the handshake's origin must be the address it came to.

    Browsers send the origin with every handshake, and scripts of a page cannot forge it; without
    this check any page on the internet could act as the user who is logged in here. Scheme, name
    and port must all be equal, or be in `CSRF_TRUSTED_ORIGINS`. Others are refused (403).
    """

    def __init__(self, sockets: App) -> None:
        self.sockets = sockets

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if not _is_own(scope):
            await send({"type": "websocket.close"})
            return
        await self.sockets(scope, receive, send)


def _is_own(scope: Scope) -> bool:
    headers = dict(scope["headers"])
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    host = headers.get(b"host", b"").decode("latin-1")
    name, _port = split_domain_port(host)
    if len(origins) != 1 or not validate_host(name, settings.ALLOWED_HOSTS):
        return False
    origin = origins[0].decode("latin-1")
    scheme = "https" if scope.get("scheme") in ("https", "wss") else "http"
    return origin == f"{scheme}://{host}" or origin in settings.CSRF_TRUSTED_ORIGINS
