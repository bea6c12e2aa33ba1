"""Addresses of the interface for programs, below /api/."""

from django.urls import include, path, re_path

from pasch.api import ranking
from pasch.api.schema import SchemaApi, no_such_address

urlpatterns = [
    path("v1/", include("ledger.api.urls")),
    path("v1/", include("games.api.urls")),
    path("v1/", include("analysis.api.urls")),
    path("v1/", include("tournaments.api")),
    path("v1/", include("games.chouette.api")),
    path("v1/ranking/", ranking.RankingApi.as_view(), name="api_ranking"),
    path("v1/players/<str:username>/", ranking.PlayerFiguresApi.as_view(), name="api_player"),
    path("schema/", SchemaApi.as_view(), name="api_schema"),
    re_path("", no_such_address),
]
