"""Addresses of the account page and of the switches for theme and language."""

from django.urls import path

from accounts import pages

urlpatterns = [
    path("account/", pages.account, name="account"),
    path("account/bot/", pages.account_bot, name="account_bot"),
    path("account/tokens/", pages.token_new, name="token_new"),
    path("account/tokens/<int:token_id>/revoke/", pages.token_end, name="token_end"),
    path("theme/", pages.theme, name="theme"),
    path("language/", pages.language, name="set_language"),
]
