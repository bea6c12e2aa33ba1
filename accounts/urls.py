"""Addresses of the account page, the settings, and the switches for theme and language."""

from django.urls import path

from accounts import pages, settings_pages
from accounts.providers import views as providers

urlpatterns = [
    path("account/", pages.account, name="account"),
    path("account/name/", pages.name, name="account_name"),
    path("account/tokens/", pages.token_new, name="token_new"),
    path("account/tokens/<int:token_id>/revoke/", pages.token_end, name="token_end"),
    # in place of allauth's pages, whose addresses these are
    path("accounts/password/set/", pages.password_set, name="account_set_password"),
    path("accounts/3rdparty/", providers.links, name="socialaccount_connections"),
    path("settings/", settings_pages.settings_page, name="settings"),
    path("theme/", settings_pages.theme, name="theme"),
    path("language/", settings_pages.language, name="set_language"),
]
