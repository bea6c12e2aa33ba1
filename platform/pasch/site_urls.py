"""Addresses of the pages that belong to no app."""

from django.urls import path

from pasch import front_door, pages

urlpatterns = [
    path("", front_door.home, name="home"),
    path("rules/", pages.rules, name="rules"),
]
