"""Addresses of the pages that belong to no app."""

from django.urls import include, path

from pasch import pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("rules/", pages.rules, name="rules"),
    path("theme/", pages.theme, name="theme"),
    path("language/", include("django.conf.urls.i18n")),
]
