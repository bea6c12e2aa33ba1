"""Addresses of the pages that belong to no app."""

from django.urls import path

from pasch import pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
]
