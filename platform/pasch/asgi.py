"""The ASGI application for HTTP and WebSocket."""

import os
from typing import Any

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.asgi import get_asgi_application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
http = get_asgi_application()  # first: it loads the apps that routing imports

from games.live.pulse import Pulse  # noqa: E402 (Django is set up first)
from pasch.observability.security_log import SocketLog  # noqa: E402 (Django is set up first)
from pasch.observability.tracing import SocketUser, Traced  # noqa: E402 (Django is set up first)
from pasch.postgresql.pool import pool_use  # noqa: E402 (Django is set up first)
from pasch.routing import websocket_urlpatterns  # noqa: E402 (Django is set up first)
from pasch.web.heads import InTurn  # noqa: E402 (Django is set up first)
from pasch.web.socket_access import BotDoor, OwnPages  # noqa: E402 (Django is set up first)

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
