"""Linked accounts of a player: listed on the player's page, and confirmed as two people."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from accounts.login_marks import acquainted, links_of
from accounts.models import User
from fairplay.links import two_people_confirm, two_people_end
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import decide_with
from ledger.desk.forms import reason_field


class TwoPeopleForm(forms.Form):
    """One of these other accounts, and why it belongs to another person."""

    other = forms.ModelChoiceField(
        queryset=User.objects.none(), label=gettext_lazy("Other account"), empty_label=None
    )
    reason = reason_field()

    def __init__(self, *args: Any, others: set[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["other"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = User.objects.filter(pk__in=others).order_by("username")


def links_context(person: User) -> dict[str, Any]:
    """The accounts linked to a player, and a form each for those to confirm and those confirmed."""
    links, confirmed = links_of(person.pk), acquainted(person.pk)
    people = User.objects.in_bulk({link.user_id for link in links})
    waiting = {link.user_id for link in links} - confirmed
    return {
        "links": [(people[link.user_id], link) for link in links],
        "confirm_form": TwoPeopleForm(others=waiting, auto_id="confirm_%s") if waiting else None,
        "end_form": TwoPeopleForm(others=confirmed, auto_id="end_%s") if confirmed else None,
    }


@desk_page("fairplay.decide_case")
@require_POST
def confirm(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Confirm that a linked account belongs to another person."""
    person = get_object_or_404(User, pk=user_id)
    others = {link.user_id for link in links_of(person.pk)}
    return _decided(
        request, person, others, two_people_confirm, _("Confirmed: the two may play each other.")
    )


@desk_page("fairplay.decide_case")
@require_POST
def end(request: SignedInRequest, user_id: int) -> HttpResponse:
    """Take a confirmation back."""
    person = get_object_or_404(User, pk=user_id)
    return _decided(
        request,
        person,
        acquainted(person.pk),
        two_people_end,
        _("Taken back: the two cannot meet for credits, and their games are not rated."),
    )


def _decided(
    request: SignedInRequest,
    person: User,
    others: set[int],
    service: Callable[..., object],
    done: str,
) -> HttpResponse:
    form = TwoPeopleForm(request.POST, others=others)
    return decide_with(
        request,
        form,
        lambda: service(
            one=person,
            other=form.cleaned_data["other"],
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=done,
        back=resolve_url("desk:player", person.pk),
    )
