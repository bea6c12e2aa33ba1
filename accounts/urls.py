"""Addresses of the account page, the settings, and the switches for theme and language."""

from django.urls import path

from accounts import name_pages, pages, settings_pages

urlpatterns = [
    path("account/", pages.account, name="account"),
    path("account/name/", name_pages.name, name="account_name"),
    path("account/tokens/", pages.token_new, name="token_new"),
    path("account/tokens/<int:token_id>/revoke/", pages.token_end, name="token_end"),
    path("settings/", settings_pages.settings_page, name="settings"),
    path("theme/", settings_pages.theme, name="theme"),
    path("language/", settings_pages.language, name="set_language"),
]
