"""Addresses of the WebSockets."""

from typing import Any

from django.urls import path, re_path

from games.live.consumers import TableConsumer
from games.live.lobby import LobbyConsumer


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a socket to an address that there is not, without a word in the log."""
    await receive()
    await send({"type": "websocket.close"})


websocket_urlpatterns = [
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/table/<uuid:table_id>/", TableConsumer.as_asgi()),
    re_path("", nowhere),
]
