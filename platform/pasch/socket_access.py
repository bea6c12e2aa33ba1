"""How programs come in to the WebSockets."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.db import database_sync_to_async

from accounts.tokens import bearer, token_user

Scope = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]


class BotDoor:
    """Lets in who brings a bot's token at the handshake; everybody else goes the pages' way.

    A browser cannot send this header to a WebSocket, so no page of a stranger can use it, and the
    origin need not be checked. A token that is unknown or revoked is refused (403).
    """

    def __init__(self, bots: App, *, pages: App) -> None:
        self.bots = bots
        self.pages = pages

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        headers = dict(scope["headers"])
        token = bearer(headers.get(b"authorization", b"").decode("latin-1"))
        if token is None:
            return await self.pages(scope, receive, send)
        user = await database_sync_to_async(token_user)(token)
        if user is None:
            return await send({"type": "websocket.close"})
        return await self.bots({**scope, "user": user}, receive, send)
