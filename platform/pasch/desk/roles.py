"""Roles at the desk: who works there, and giving and taking what lets them."""

from dataclasses import dataclass

from allauth.mfa.models import Authenticator
from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.roles import Role, role_of, staff_members
from pasch.desk.access import desk_page, second_factor_at
from pasch.desk.decisions import decide
from pasch.desk.forms import PersonField, reason_field
from pasch.staff import PERMISSION, role_change

NONE = "none"


@dataclass(frozen=True, slots=True)
class StaffRow:
    """One person who works at the desk; `role` is None for staff of before there were roles."""

    person: User
    role: Role | None
    has_second_factor: bool


class RoleForm(forms.Form):
    """Who shall have which role, and why."""

    player = PersonField()
    role = forms.ChoiceField(
        label=gettext_lazy("Role"),
        choices=((NONE, gettext_lazy("Player (no role)")), *Role.choices),
        widget=forms.RadioSelect,
    )
    reason = reason_field()


@desk_page(PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def roles(request: HttpRequest) -> HttpResponse:
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
            done=_("The role is changed, and in force at once."),
            back=resolve_url("desk:roles"),
        )
    return render(request, "desk/roles.html", {"form": form, "rows": _rows()})


def _rows() -> list[StaffRow]:
    people = list(staff_members())
    with_factor = set(
        Authenticator.objects.filter(user__in=people)
        .exclude(type=Authenticator.Type.RECOVERY_CODES)
        .values_list("user_id", flat=True)
    )
    return [StaffRow(person, role_of(person), person.pk in with_factor) for person in people]
