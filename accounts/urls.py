"""Addresses of the account page and of the switches for theme and language."""

from django.urls import path

from accounts import pages

urlpatterns = [
    path("account/", pages.account, name="account"),
    path("theme/", pages.theme, name="theme"),
    path("language/", pages.language, name="set_language"),
]
