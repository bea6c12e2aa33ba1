"""The account of a player at the desk: address, second factors, name, bot, closed or open."""

from django import forms
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.decisions import IdentityKind
from accounts.identity import identity_facts, is_guarded
from accounts.models import User
from accounts.roles import role_of
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import decide
from ledger.desk.forms import reason_field
from ledger.selectors import owns_credits
from pasch.desk.roles import waiting_rows
from pasch.staff.identities import (
    PERMISSION,
    identities_waiting,
    identity_change,
)


class IdentityForm(forms.Form):
    """A change of another person's account, with a reason."""

    kind = forms.ChoiceField(
        label=gettext_lazy("What"), choices=IdentityKind.choices, widget=forms.RadioSelect
    )
    value = forms.CharField(
        label=gettext_lazy("New address or name"),
        max_length=254,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Only needed when setting a new value."),
    )
    reason = reason_field()

    def clean_kind(self) -> IdentityKind:
        """Return the kind as the services take it."""
        return IdentityKind(self.cleaned_data["kind"])


@desk_page(PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Show the identity of an account; change it, or request the change."""
    person = get_object_or_404(User, pk=user_id)
    form = IdentityForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        kind = form.cleaned_data["kind"]
        return decide(
            request,
            lambda: identity_change(
                user_id=user_id,
                kind=kind,
                value=form.cleaned_data["value"],
                actor=request.user,
                reason=form.cleaned_data["reason"],
                verified_at=second_factor_at(request),
            ),
            done=lambda _outcome: _said(person, kind),
            back=resolve_url("desk:identity", user_id),
        )
    waiting = identities_waiting().filter(person=person).select_related("person", "asked_by")
    context = {
        "person": person,
        "role": role_of(person),
        "facts": identity_facts(person),
        "guarded": is_guarded(person),
        "owns_credits": owns_credits(person.pk),
        "form": form,
        "waiting": waiting_rows(waiting, "change"),
        "hours": settings.ROLE_WAIT_HOURS,
    }
    return render(request, "desk/identity.html", context)


def _said(person: User, kind: IdentityKind) -> str:
    if identities_waiting().filter(person=person, kind=kind).exists():
        return _(
            "Asked for. The account is changed when a second administrator confirms it, or after"
            " %(hours)d hours; all administrators get a mail."
        ) % {"hours": settings.ROLE_WAIT_HOURS}
    return _("The account is changed.")
