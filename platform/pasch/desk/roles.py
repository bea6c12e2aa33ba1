"""Roles at the desk: the people with one, and giving and taking roles."""

from collections.abc import Callable
from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.decisions import RoleGrant
from accounts.grants import grants_waiting
from accounts.models import User
from accounts.roles import Role, role_of, staff_members
from kit.requests import SignedInRequest
from pasch.desk.access import desk_page, second_factor_at
from pasch.desk.decisions import decide, decide_with
from pasch.desk.forms import PersonField, ReasonForm, reason_field, waiting_rows
from pasch.staff.identities import identities_waiting
from pasch.staff.roles import PERMISSION, role_change, role_confirm, role_stop

NONE = "none"


@dataclass(frozen=True, slots=True)
class StaffRow:
    """One person who works at the desk; `role` is None for a superuser without one."""

    person: User
    role: Role | None
    has_second_factor: bool


class RoleForm(forms.Form):
    """A person, their new role, and a reason."""

    player = PersonField()
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=((NONE, gettext_lazy("Player (no role)")), *Role.choices),
        widget=forms.RadioSelect,
    )
    reason = reason_field()


@desk_page(PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def roles(request: SignedInRequest) -> HttpResponse:
    """List the staff; give or take a role."""
    posted = request.POST if request.method == "POST" else None
    form = RoleForm(posted, initial={"player": request.GET.get("player", "")})
    if form.is_valid():
        wanted = form.cleaned_data["role"]
        return decide(
            request,
            lambda: role_change(
                user_id=form.cleaned_data["player"].pk,
                role=None if wanted == NONE else Role(wanted),
                actor=request.user,
                reason=form.cleaned_data["reason"],
                verified_at=second_factor_at(request),
            ),
            done=_done(form.cleaned_data["player"], wanted),
            back=resolve_url("desk:roles"),
        )
    context = {
        "form": form,
        "rows": _rows(),
        "waiting": waiting_rows(grants_waiting().select_related("person", "asked_by"), "role"),
        "changes_waiting": waiting_rows(
            identities_waiting().select_related("person", "asked_by"), "change"
        ),
        "hours": settings.ROLE_WAIT_HOURS,
    }
    return render(request, "desk/roles.html", context)


@desk_page(PERMISSION)
@require_POST
def confirm(request: SignedInRequest, grant_id: int) -> HttpResponse:
    """Second administrator: a role that waits takes effect."""
    get_object_or_404(RoleGrant, pk=grant_id)
    return decide(
        request,
        lambda: role_confirm(
            grant_id=grant_id, actor=request.user, verified_at=second_factor_at(request)
        ),
        done=_("The role is in force now."),
        back=resolve_url("desk:roles"),
    )


@desk_page(PERMISSION)
@require_POST
def stop(request: SignedInRequest, grant_id: int) -> HttpResponse:
    """Let a role that waits never take effect."""
    get_object_or_404(RoleGrant, pk=grant_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: role_stop(
            grant_id=grant_id,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=_("Stopped: this role does not take effect."),
        back=resolve_url("desk:roles"),
    )


def _done(person: User, wanted: str) -> Callable[[object], str]:
    """The message after the change, with the new state."""
    return lambda _outcome: _said(person, wanted)


def _said(person: User, wanted: str) -> str:
    if wanted != NONE and grants_waiting().filter(person=person, role=wanted).exists():
        return _(
            "Asked for. The role takes effect when a second administrator confirms it, or after"
            " %(hours)d hours; all administrators get a mail."
        ) % {"hours": settings.ROLE_WAIT_HOURS}
    return _("The role is changed, and in force at once.")


def _rows() -> list[StaffRow]:
    people = list(staff_members())
    with_factor = set(
        Authenticator.objects.filter(user__in=people)
        .exclude(type=Authenticator.Type.RECOVERY_CODES)
        .values_list("user_id", flat=True)
    )
    return [StaffRow(person, role_of(person), person.pk in with_factor) for person in people]
