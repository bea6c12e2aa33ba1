"""The address of the ranking list."""

from django.urls import path

from ratings import pages

urlpatterns = [
    path("ranking/", pages.ranking, name="ranking"),
]
