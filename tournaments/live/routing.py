"""Addresses of the WebSockets of tournaments."""

from typing import Any

from django.urls import path

from tournaments.live.consumers import CalendarConsumer, TournamentConsumer

_calendar: Any = CalendarConsumer.as_asgi()  # Django's types declare views only
_tournament: Any = TournamentConsumer.as_asgi()

websocket_urlpatterns: list[Any] = [
    path("ws/tournaments/", _calendar),
    path("ws/tournament/<uuid:tournament_id>/", _tournament),
]
