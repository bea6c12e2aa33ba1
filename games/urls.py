"""Addresses of lobby and tables."""

from django.urls import path

from games import pages

urlpatterns = [
    path("play/", pages.lobby, name="lobby"),
    path("play/tables/", pages.lobby_tables, name="lobby_tables"),
    path("play/open/", pages.open_table, name="table_open"),
    path("table/<uuid:table_id>/", pages.table, name="table"),
    path("table/<uuid:table_id>/join/", pages.join, name="table_join"),
    path("table/<uuid:table_id>/cancel/", pages.cancel, name="table_cancel"),
    path("match/<uuid:match_id>/", pages.match, name="match"),
]
