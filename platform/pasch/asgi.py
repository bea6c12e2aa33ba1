"""The ASGI application for HTTP and WebSocket."""

import os
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import DEFAULT_DB_ALIAS, connections
from django.urls import path, re_path
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
http = get_asgi_application()  # first: it loads the apps that routing imports

from games.chouette.live import (  # noqa: E402 (Django is set up first)
    websocket_urlpatterns as of_chouettes,
)
from games.live.delivery import CLOSE_NO_TABLE, REASONS  # noqa: E402 (Django is set up first)
from games.live.person import (  # noqa: E402 (Django is set up first)
    LobbyConsumer,
    PersonConsumer,
)
from games.live.pulse import Pulse  # noqa: E402 (Django is set up first)
from games.live.table import TableConsumer  # noqa: E402 (Django is set up first)
from pasch.observability.security_log import SocketLog  # noqa: E402 (Django is set up first)
from pasch.observability.tracing import SocketUser, Traced  # noqa: E402 (Django is set up first)
from pasch.postgresql.address import REPLICA  # noqa: E402 (Django is set up first)
from pasch.web.heads import InTurn  # noqa: E402 (Django is set up first)
from pasch.web.socket_access import BotDoor, OwnPages  # noqa: E402 (Django is set up first)
from tournaments.live import (  # noqa: E402 (Django is set up first)
    websocket_urlpatterns as of_tournaments,
)


def pool_use() -> None:
    """From now on every connection of this process comes from the pool.

    Django serves each request in a thread of its own, and a connection kept for a thread would be
    opened for every page and thrown away after it. Commands and workers have few, long-lived
    threads: each keeps a connection and fails at once if there is no server.
    """
    pools = {DEFAULT_DB_ALIAS: settings.DATABASE_POOL, REPLICA: settings.DATABASE_REPLICA_POOL}
    found = connections.settings
    if "pool" in found[DEFAULT_DB_ALIAS]["OPTIONS"]:
        return
    for connection in connections.all(initialized_only=True):
        # one that is not open has nothing to close, and must not be: servers import the
        # application in their event loop, where Django forbids the use of a connection
        if connection.connection is not None:
            connection.close()
    for alias in found.keys() & pools.keys():
        found[alias]["CONN_MAX_AGE"] = 0  # a connection that is kept is none of a pool's
        found[alias]["OPTIONS"]["pool"] = pools[alias]


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
    *of_chouettes,
    *of_tournaments,
    path("ws/lobby/", lobby),
    path("ws/me/", person),
    path("ws/table/<uuid:table_id>/", table),
    path("ws/table/<str:table_id>/", unknown),
    re_path("", elsewhere),
]

pool_use()
sockets = SocketUser(URLRouter(websocket_urlpatterns))
pages: Any = AuthMiddlewareStack(sockets)

site: Any = ProtocolTypeRouter(
    {
        "http": InTurn(http),
        "lifespan": Pulse(),
        "websocket": SocketLog(BotDoor(sockets, pages=OwnPages(pages))),
    }
)

# Only our own proxy may set the client's address; without one it is the connection's.
application = Traced(
    ProxyHeadersMiddleware(site, trusted_hosts=settings.TRUSTED_PROXIES),
    trusted=settings.TRUSTED_PROXIES,
)
