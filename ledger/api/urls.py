"""Addresses of the interface to one's own credits, below /api/v1/."""

from django.urls import path, register_converter
from django.urls.converters import IntConverter, StringConverter

from ledger.api import bots, limits, payouts, wallet
from ledger.models import Measure, Period


class YearConverter(IntConverter):
    """A year of four digits."""

    regex = "[1-9][0-9]{3}"


class MeasureConverter(StringConverter):
    """The measure of a limit, in an address."""

    regex = "|".join(Measure.values)


class PeriodConverter(StringConverter):
    """The period of a limit, in an address."""

    regex = "|".join(Period.values)


register_converter(YearConverter, "year")
register_converter(MeasureConverter, "measure")
register_converter(PeriodConverter, "period")

urlpatterns = [
    path("wallet/", wallet.WalletApi.as_view(), name="api_wallet"),
    path("wallet/entries/", wallet.EntriesApi.as_view(), name="api_entries"),
    path("wallet/statements/<year:year>/", wallet.StatementApi.as_view(), name="api_statement"),
    path("payouts/", payouts.PayoutsApi.as_view(), name="api_payouts"),
    path("payouts/request/", payouts.PayoutRequestApi.as_view(), name="api_payout_request"),
    path("payouts/<int:payout_id>/", payouts.PayoutApi.as_view(), name="api_payout"),
    path(
        "payouts/<int:payout_id>/cancel/",
        payouts.PayoutCancelApi.as_view(),
        name="api_payout_cancel",
    ),
    path("vouchers/redeem/", wallet.VoucherRedeemApi.as_view(), name="api_voucher_redeem"),
    path("limits/", limits.LimitsApi.as_view(), name="api_limits"),
    path(
        "limits/<measure:measure>/<period:period>/",
        limits.LimitSetApi.as_view(),
        name="api_limit_set",
    ),
    path("break/", limits.BreakApi.as_view(), name="api_break"),
    path("bot/undo/", bots.BotUndoApi.as_view(), name="api_bot_undo"),
    path("exclusion/", limits.ExclusionApi.as_view(), name="api_exclusion"),
]
