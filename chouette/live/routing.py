"""Addresses of the WebSockets of chouettes."""

from typing import Any

from django.urls import path

from chouette.live.consumers import ChouetteConsumer, ChouetteListConsumer

_consumer: Any = ChouetteConsumer.as_asgi()  # Django's types declare views only
_list: Any = ChouetteListConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/chouette/<uuid:circle_id>/", _consumer),
    path("ws/chouettes/", _list),
]
