"""All addresses for WebSockets."""

from games.live.routing import websocket_urlpatterns

__all__ = ["websocket_urlpatterns"]
