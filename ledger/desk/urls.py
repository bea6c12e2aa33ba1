"""The addresses of the pages of the books at the desk."""

from django.urls import path

from ledger.desk import adjustments, audit, journal, payouts, proposals, vouchers

urlpatterns = [
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/<int:payout_id>/", payouts.payout, name="payout"),
    *(
        path(f"payouts/<int:payout_id>/{s}/", payouts.decide, {"step": s}, name=f"payout_{s}")
        for s in payouts.STEPS
    ),
    path("adjustments/", adjustments.adjustments, name="adjustments"),
    path("vouchers/", vouchers.vouchers, name="vouchers"),
    path("vouchers/<int:voucher_id>/revoke/", vouchers.revoke, name="voucher_revoke"),
    path("proposals/", proposals.proposals, name="proposals"),
    path("proposals/<int:proposal_id>/confirm/", proposals.confirm, name="proposal_confirm"),
    path("proposals/<int:proposal_id>/refuse/", proposals.refuse, name="proposal_refuse"),
    path("proposals/<int:proposal_id>/withdraw/", proposals.withdraw, name="proposal_withdraw"),
    path("journal/", journal.journal, name="journal"),
    path("audit/", audit.audit, name="audit"),
    path("audit/run/", audit.run_now, name="audit_run"),
]
