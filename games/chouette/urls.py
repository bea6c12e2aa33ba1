"""Addresses of chouettes."""

from django.urls import path

from games.chouette import pages

app_name = "chouette"

urlpatterns = [
    path("", pages.listing, name="list"),
    path("open/", pages.opening, name="open"),
    path("tables/", pages.listed, name="tables"),
    path("<uuid:circle_id>/", pages.table, name="table"),
    path("<uuid:circle_id>/dice.json", pages.dice_record, name="dice"),
]
