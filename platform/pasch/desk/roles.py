"""Roles at the desk: the people with one, and giving and taking roles."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from allauth.mfa.models import Authenticator
from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.decisions import StaffDecision
from accounts.grants import grants_waiting
from accounts.models import User
from accounts.roles import Role, role_of, staff_members
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import decide, decide_with
from ledger.desk.forms import PersonField, ReasonForm, reason_field
from pasch.staff.decisions import StaffKind, decision_confirm, decision_stop
from pasch.staff.identities import IDENTITIES, identities_waiting
from pasch.staff.roles import PERMISSION, ROLES, role_change

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


@dataclass(frozen=True, slots=True)
class WaitingPages:
    """How decisions of a kind that wait are decided at the desk: its texts, and the page after."""

    kind: StaffKind
    confirmed: Promise
    stopped: Promise
    back: Callable[[Any], str]


ROLE_PAGES: Final = WaitingPages(
    ROLES,
    gettext_lazy("The role is in force now."),
    gettext_lazy("Stopped: this role does not take effect."),
    lambda _grant: resolve_url("desk:roles"),
)
IDENTITY_PAGES: Final = WaitingPages(
    IDENTITIES,
    gettext_lazy("The account is changed."),
    gettext_lazy("Stopped: the account stays as it is."),
    lambda change: resolve_url("desk:identity", change.person_id),
)


@desk_page(PERMISSION)
@require_POST
def confirm(request: SignedInRequest, pages: WaitingPages, **ids: int) -> HttpResponse:
    """Second administrator: what waits takes effect."""
    decision = get_object_or_404(pages.kind.model, pk=next(iter(ids.values())))
    return decide(
        request,
        lambda: decision_confirm(
            pages.kind,
            decision_id=decision.pk,
            actor=request.user,
            verified_at=second_factor_at(request),
        ),
        done=pages.confirmed,
        back=pages.back(decision),
    )


@desk_page(PERMISSION)
@require_POST
def stop(request: SignedInRequest, pages: WaitingPages, **ids: int) -> HttpResponse:
    """Let what waits never take effect."""
    decision = get_object_or_404(pages.kind.model, pk=next(iter(ids.values())))
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: decision_stop(
            pages.kind,
            decision_id=decision.pk,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=pages.stopped,
        back=pages.back(decision),
    )


def waiting_rows(
    decisions: Iterable[StaffDecision], name: str
) -> list[tuple[StaffDecision, ReasonForm]]:
    """Decisions that wait, each with the form that stops it; ids of its fields begin by `name`."""
    return [(each, ReasonForm(auto_id=f"{name}_{each.pk}_%s")) for each in decisions]


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
