"""Addresses of the WebSockets."""

from django.urls import path

from games.live.consumers import LobbyConsumer, TableConsumer

websocket_urlpatterns = [
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/table/<uuid:table_id>/", TableConsumer.as_asgi()),
]
