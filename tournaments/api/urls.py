"""Addresses of tournaments for programs, below /api/v1/."""

from django.urls import path

from tournaments.api import views

urlpatterns = [
    path("tournaments/", views.TournamentsApi.as_view(), name="api_tournaments"),
    path("tournaments/<uuid:tournament_id>/", views.TournamentApi.as_view(), name="api_tournament"),
    path(
        "tournaments/<uuid:tournament_id>/enter/",
        views.TournamentEnterApi.as_view(),
        name="api_tournament_enter",
    ),
    path(
        "tournaments/<uuid:tournament_id>/withdraw/",
        views.TournamentWithdrawApi.as_view(),
        name="api_tournament_withdraw",
    ),
    path(
        "tournaments/<uuid:tournament_id>/ready/",
        views.TournamentReadyApi.as_view(),
        name="api_tournament_ready",
    ),
]
