"""The audit at the desk: what the last one found, and one more now."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from kit.requests import SignedInRequest
from ledger.desk.access import desk_page
from ledger.models import AuditRun
from ledger.selectors import HouseTotals
from ledger.selectors_desk import audits_in_turns, recent_audits, whole_audits
from ledger.tasks import audit as audit_task

RUNS_LISTED = 20


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19


@desk_page("ledger.view_auditrun")
@require_safe
def audit(request: SignedInRequest) -> HttpResponse:
    """Show one audit (`run`), else the last whole one, with every check and the trial balance.

    `after` is the last run at the time of a request for a new one: until there is a newer one, the
    page shows that it is running.
    """
    latest = whole_audits().order_by("-pk").first()
    chosen = request.GET.get("run", "")
    run = get_object_or_404(AuditRun, pk=int(chosen)) if _is_number(chosen) else latest
    after = request.GET.get("after", "")
    latest_id = latest.pk if latest else 0
    context = {
        "run": run,
        "checks": _checks(run),
        "run_totals": HouseTotals(**run.report["totals"]) if run else None,
        "runs": whole_audits().order_by("-pk").defer("report")[:RUNS_LISTED],
        "turn_runs": audits_in_turns().order_by("-pk")[:RUNS_LISTED],
        "recent_runs": recent_audits().order_by("-pk").defer("report")[:RUNS_LISTED],
        "under_way": _is_number(after) and latest_id <= int(after),
    }
    part = "desk/audit_result.html" if request.htmx else "desk/audit.html"
    return render(request, part, context)


@desk_page("ledger.view_auditrun")
@require_POST
def run_now(request: SignedInRequest) -> HttpResponse:
    """Request an audit from a worker; its result appears on the page."""
    latest = whole_audits().order_by("-pk").values_list("pk", flat=True).first()
    try:
        audit_task.apply_async(retry=False)
    except OperationalError:
        messages.error(request, _("No audit was started: Valkey does not respond."))
        return redirect("desk:audit")
    answer = redirect("desk:audit")
    answer["Location"] += f"?after={latest or 0}"
    return answer


def _checks(run: AuditRun | None) -> list[dict[str, Any]]:
    """The checks of a run, those with findings first."""
    if run is None:
        return []
    return sorted(run.report.get("checks", ()), key=lambda check: not check["findings"])
