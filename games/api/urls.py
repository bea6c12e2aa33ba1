"""Addresses of tables and matches for programs, below /api/v1/."""

from django.urls import path

from games.api import matches, tables

urlpatterns = [
    path("tables/", tables.TablesApi.as_view(), name="api_tables"),
    path("tables/open/", tables.TableOpenApi.as_view(), name="api_table_open"),
    path("tables/<uuid:table_id>/join/", tables.TableJoinApi.as_view(), name="api_table_join"),
    path("tables/<uuid:table_id>/close/", tables.TableCloseApi.as_view(), name="api_table_close"),
    path("matches/", matches.MatchesApi.as_view(), name="api_matches"),
    path("matches/<uuid:match_id>/", matches.MatchApi.as_view(), name="api_match"),
]
