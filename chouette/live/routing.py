"""Addresses of the WebSockets of chouettes."""

from typing import Any

from django.urls import path

from chouette.live.consumers import ChouetteConsumer

_consumer: Any = ChouetteConsumer.as_asgi()  # Django's types declare views only

websocket_urlpatterns: list[Any] = [path("ws/chouette/<uuid:circle_id>/", _consumer)]
