"""Addresses of the WebSockets."""

from typing import Any

from django.urls import path, re_path

from games.live.delivery import CLOSE_NO_TABLE, REASONS
from games.live.person import LobbyConsumer, PersonConsumer
from games.live.table import TableConsumer


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a socket to an unknown address, without a line in the log."""
    await receive()
    await send({"type": "websocket.close"})


async def no_table(scope: Any, receive: Any, send: Any) -> None:
    """Answer an id that is no UUID like one that no table has: trying again changes nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    reason = REASONS[CLOSE_NO_TABLE]
    await send({"type": "websocket.close", "code": CLOSE_NO_TABLE, "reason": reason})


lobby: Any = LobbyConsumer.as_asgi()  # Django's types declare views only
person: Any = PersonConsumer.as_asgi()
table: Any = TableConsumer.as_asgi()
unknown: Any = no_table
elsewhere: Any = nowhere

websocket_urlpatterns: list[Any] = [
    path("ws/lobby/", lobby),
    path("ws/me/", person),
    path("ws/table/<uuid:table_id>/", table),
    path("ws/table/<str:table_id>/", unknown),
    re_path("", elsewhere),
]
