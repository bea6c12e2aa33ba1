"""Addresses of the administrators' desk."""

from django.urls import path

from pasch.desk import (
    adjustments,
    audit,
    journal,
    mails,
    match_decisions,
    matches,
    overview,
    payouts,
    players,
    proposals,
    reports,
    roles,
    stops,
    vouchers,
)

app_name = "desk"

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("payouts/", payouts.payouts, name="payouts"),
    path("payouts/<int:payout_id>/", payouts.payout, name="payout"),
    path("payouts/<int:payout_id>/confirm/", payouts.confirm, name="payout_confirm"),
    path("payouts/<int:payout_id>/approve/", payouts.approve, name="payout_approve"),
    path("payouts/<int:payout_id>/settle/", payouts.settle, name="payout_settle"),
    path("payouts/<int:payout_id>/decline/", payouts.decline, name="payout_decline"),
    path("payouts/<int:payout_id>/fail/", payouts.fail, name="payout_fail"),
    path("mails/", mails.mails, name="mails"),
    path("mails/<int:mail_id>/retry/", mails.retry, name="mail_retry"),
    path("adjustments/", adjustments.adjustments, name="adjustments"),
    path(
        "adjustments/<int:adjustment_id>/approve/",
        adjustments.approve,
        name="adjustment_approve",
    ),
    path("adjustments/<int:adjustment_id>/refuse/", adjustments.refuse, name="adjustment_refuse"),
    path("vouchers/", vouchers.vouchers, name="vouchers"),
    path("vouchers/<int:voucher_id>/revoke/", vouchers.revoke, name="voucher_revoke"),
    path("players/", players.players, name="players"),
    path("players/<int:user_id>/", players.player, name="player"),
    path("players/<int:user_id>/freeze/", players.freeze, name="player_freeze"),
    path("players/<int:user_id>/thaw/", players.thaw, name="player_thaw"),
    path("matches/", matches.matches, name="matches"),
    path("matches/<uuid:match_id>/", matches.match, name="match"),
    path("matches/<uuid:match_id>/evidence.json", matches.evidence, name="match_evidence"),
    path("matches/<uuid:match_id>/decision/", match_decisions.decision, name="match_decision"),
    path("matches/<uuid:match_id>/confirm/", match_decisions.confirm, name="match_confirm"),
    path("matches/<uuid:match_id>/void/", match_decisions.void, name="match_void"),
    path(
        "matches/<uuid:match_id>/adjudicate/", match_decisions.adjudicate, name="match_adjudicate"
    ),
    path("proposals/", proposals.proposals, name="proposals"),
    path("proposals/factor/", proposals.factor, name="proposals_factor"),
    path("proposals/<int:proposal_id>/confirm/", proposals.confirm, name="proposal_confirm"),
    path("proposals/<int:proposal_id>/refuse/", proposals.refuse, name="proposal_refuse"),
    path("proposals/<int:proposal_id>/withdraw/", proposals.withdraw, name="proposal_withdraw"),
    path("reports/", reports.reports, name="reports"),
    path("reports/<int:report_id>/", reports.report, name="report"),
    path("reports/<int:report_id>/close/", reports.close, name="report_close"),
    path("roles/", roles.roles, name="roles"),
    path("roles/<int:grant_id>/confirm/", roles.confirm, name="role_confirm"),
    path("roles/<int:grant_id>/stop/", roles.stop, name="role_stop"),
    path("stops/", stops.stops, name="stops"),
    path("stops/resume/", stops.resume, name="stop_resume"),
    path("journal/", journal.journal, name="journal"),
    path("audit/", audit.audit, name="audit"),
    path("audit/run/", audit.run_now, name="audit_run"),
]
