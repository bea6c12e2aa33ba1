"""The door for HTTP and WebSocket."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pasch.settings")
http = get_asgi_application()  # first: it loads the apps that routing imports

from games.live.pulse import Pulse  # noqa: E402 (Django is set up first)
from pasch.routing import websocket_urlpatterns  # noqa: E402 (Django is set up first)
from pasch.socket_access import BotDoor  # noqa: E402 (Django is set up first)

sockets = URLRouter(websocket_urlpatterns)

application = ProtocolTypeRouter(
    {
        "http": http,
        "lifespan": Pulse(),
        "websocket": BotDoor(
            sockets, pages=AllowedHostsOriginValidator(AuthMiddlewareStack(sockets))
        ),
    }
)
