"""Addresses of the WebSockets."""

from typing import Any

from django.urls import path, re_path

from games.live.consumers import TableConsumer
from games.live.lobby import LobbyConsumer


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a socket to an unknown address, without a line in the log."""
    await receive()
    await send({"type": "websocket.close"})


lobby: Any = LobbyConsumer.as_asgi()  # Django's types declare views only
table: Any = TableConsumer.as_asgi()
elsewhere: Any = nowhere

websocket_urlpatterns: list[Any] = [
    path("ws/lobby/", lobby),
    path("ws/table/<uuid:table_id>/", table),
    re_path("", elsewhere),
]
