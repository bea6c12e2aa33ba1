"""A player's own limits, a break, a self-exclusion: what holds back the next stake."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.access import proof_check
from accounts.mailboxes import mailboxes_proved
from kit.requests import SignedInRequest
from ledger.forms import ExclusionForm, LimitsForm
from ledger.models import Measure
from ledger.selectors_desk import limits_of, pause_shown
from ledger.services.limits import break_start, exclusion_start, limit_set


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def wallet_limits(request: SignedInRequest) -> HttpResponse:
    """Show the limits and what is used of them; change those that were written otherwise."""
    form = LimitsForm(limits_of(request.user.pk), request.POST or None)
    if request.method == "POST" and form.is_valid():
        _limits_save(request, form)
        return redirect("wallet_limits")
    context = {
        "form": form,
        "groups": [
            (_("Losses"), list(form.rows_of(Measure.LOSS))),
            (_("Stakes"), list(form.rows_of(Measure.STAKE))),
        ],
        "pending": [view for view in form.views.values() if view.next_from],
        **pause_shown(request.user.pk),
        "exclusion": ExclusionForm(),
        "reaches_others": mailboxes_proved(request.user.pk),
    }
    return render(request, "ledger/limits.html", context)


@login_required
@require_POST
def wallet_limit_keep(request: SignedInRequest) -> HttpResponse:
    """Keep a limit as it is: what was to widen it is forgotten."""
    views = {f"{view.measure}_{view.period}": view for view in limits_of(request.user.pk)}
    view = views.get(request.POST.get("limit", ""))
    if view is not None and view.next_from is not None:
        limit_set(
            user=request.user,
            measure=view.measure,
            period=view.period,
            amount_cents=view.limit_cents,
        )
        messages.success(request, _("The limit stays as it is."))
    return redirect("wallet_limits")


@login_required
@require_POST
def wallet_break(request: SignedInRequest) -> HttpResponse:
    """No stakes for a day, at one click."""
    break_start(user=request.user)
    messages.success(request, _("Your break has begun. It ends by itself after 24 hours."))
    return redirect("wallet_limits")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def wallet_exclusion(request: SignedInRequest) -> HttpResponse:
    """Explain an exclusion of the chosen length, and start it when confirmed."""
    form = ExclusionForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        messages.error(request, _("Choose how long the exclusion lasts."))
        return redirect("wallet_limits")
    if request.method == "POST" and request.POST.get("confirmed") == "yes":
        proof_check(request)  # a break needs none, so nobody waits for protection
        exclusion_start(user=request.user, days=form.days)
        messages.success(request, _("You are excluded from playing for credits."))
        return redirect("wallet_limits")
    context = {
        "form": form,
        "length": form.cleaned_data["length"],
        "ends_at": None if form.days is None else timezone.now() + timedelta(days=form.days),
        "unconfirmed": request.method == "POST",
        "reaches_others": mailboxes_proved(request.user.pk),
    }
    return render(request, "ledger/exclusion.html", context)


@transaction.atomic
def _limits_save(request: SignedInRequest, form: LimitsForm) -> None:
    """Set every changed limit, all or none, and show which of them wait."""
    changes = list(form.changes())
    for measure, period, amount_cents in changes:
        limit_set(user=request.user, measure=measure, period=period, amount_cents=amount_cents)
    if not changes:
        messages.info(request, _("Nothing was changed."))
    elif any(view.next_from for view in limits_of(request.user.pk)):
        messages.success(request, _("Saved. A higher limit applies after 24 hours."))
    else:
        messages.success(request, _("Saved. The limits apply from now on."))
