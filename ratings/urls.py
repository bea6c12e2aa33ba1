"""Addresses of the ranking list and of the players' pages."""

from django.urls import path

from ratings import pages

urlpatterns = [
    path("ranking/", pages.ranking, name="ranking"),
    path("player/<str:username>/", pages.player, name="player"),
]
