"""Addresses for WebSockets."""

from typing import Any

websocket_urlpatterns: list[Any] = []
