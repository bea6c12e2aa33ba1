"""Addresses of the wallet."""

from django.urls import path

from ledger import pages

urlpatterns = [
    path("wallet/", pages.wallet, name="wallet"),
    path("wallet/entries.csv", pages.wallet_csv, name="wallet_csv"),
]
