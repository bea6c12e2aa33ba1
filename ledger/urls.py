"""Addresses of the wallet, and of what an account's being a bot's does to it."""

from django.urls import path

from ledger import pages, pages_bots, pages_limits, pages_payouts

urlpatterns = [
    path("account/bot/", pages_bots.account_bot, name="account_bot"),
    path("account/bot/undo/", pages_bots.account_bot_undo, name="account_bot_undo"),
    path("wallet/", pages.wallet, name="wallet"),
    path("wallet/entries.csv", pages.wallet_csv, name="wallet_csv"),
    path("wallet/statement/<int:year>/", pages.wallet_statement, name="wallet_statement"),
    path("wallet/voucher/", pages.wallet_voucher, name="wallet_voucher"),
    path("wallet/payouts/", pages_payouts.wallet_payouts, name="wallet_payouts"),
    path(
        "wallet/payouts/<int:payout_id>/cancel/",
        pages_payouts.wallet_payout_cancel,
        name="wallet_payout_cancel",
    ),
    path("wallet/limits/", pages_limits.wallet_limits, name="wallet_limits"),
    path("wallet/limits/keep/", pages_limits.wallet_limit_keep, name="wallet_limit_keep"),
    path("wallet/limits/break/", pages_limits.wallet_break, name="wallet_break"),
    path("wallet/limits/exclusion/", pages_limits.wallet_exclusion, name="wallet_exclusion"),
]
