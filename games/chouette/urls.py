"""Addresses of chouettes."""

from django.urls import path

from games.chouette.pages import views

app_name = "chouette"

urlpatterns = [
    path("", views.listing, name="list"),
    path("open/", views.opening, name="open"),
    path("tables/", views.listed, name="tables"),
    path("<uuid:circle_id>/", views.table, name="table"),
    path("<uuid:circle_id>/dice.json", views.dice_record, name="dice"),
]
