"""Closing the house, a mode or a player for new stakes; running games finish."""

from dataclasses import dataclass

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games.forms.names import mode_choices
from games.modes.registry import ALL
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page
from ledger.desk.decisions import decide, decide_with
from ledger.desk.forms import reason_field
from ledger.models import StakesStop
from ledger.selectors_desk import stops as stops_in_force
from ledger.services.limits import stakes_resume, stakes_stop

HOUSE = "house"
MODES = tuple(mode for mode in ALL if mode.is_staked)
"""The modes in which credits are at stake, so that they can be stopped."""


@dataclass(frozen=True, slots=True)
class StopRow:
    """A stop as the page shows it, with the player where it is about one."""

    stop: StakesStop
    person: User | None


class StopForm(forms.Form):
    """Form for stopping new stakes of a subject, with the reason."""

    what = forms.ChoiceField(
        label=gettext_lazy("What"),
        widget=forms.RadioSelect,
        choices=lambda: [
            (HOUSE, gettext_lazy("The whole house")),
            *((mode_scope(key), name) for key, name in mode_choices(MODES)),
            ("user", gettext_lazy("One player")),
        ],
    )
    player = forms.CharField(
        label=gettext_lazy("Player"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=gettext_lazy("Only needed to stop a single player."),
    )
    reason = reason_field()

    def clean(self) -> dict[str, object]:
        """Add `scope`, the word under which stakes are stopped."""
        cleaned = super().clean() or {}
        what, name = cleaned.get("what"), cleaned.get("player", "")
        if what == "user":
            person = User.objects.filter(username__iexact=name).first() if name else None
            if person is None:
                raise ValidationError(
                    {"player": ValidationError(_("There is no player of this name."))}
                )
            what = user_scope(person.pk)
        cleaned["scope"] = what
        return cleaned


class ResumeForm(forms.Form):
    """Form for allowing stakes of a subject again, with the reason."""

    scope = forms.CharField(max_length=100, widget=forms.HiddenInput)
    reason = reason_field()


def mode_scope(mode: str) -> str:
    """The word under which the stakes of one mode are stopped."""
    return f"mode:{mode}"


def user_scope(user_id: int) -> str:
    """The word under which one player's stakes are stopped."""
    return f"player:{user_id}"


@desk_page("ledger.stop_stakes")
@require_http_methods(["GET", "HEAD", "POST"])
def stops(request: SignedInRequest) -> HttpResponse:
    """Show what is stopped and stop more."""
    player = request.GET.get("player", "")
    initial = {"what": "user" if player else HOUSE, "player": player}
    form = StopForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        return decide(
            request,
            lambda: stakes_stop(
                scope=str(form.cleaned_data["scope"]),
                actor=request.user,
                reason=form.cleaned_data["reason"],
            ),
            done=_("Stopped. Running games finish."),
            back=resolve_url("desk:stops"),
        )
    context = {"form": form, "rows": _rows(), "resume_form": ResumeForm()}
    return render(request, "desk/stops.html", context)


@desk_page("ledger.stop_stakes")
@require_POST
def resume(request: SignedInRequest) -> HttpResponse:
    """Take stakes again."""
    form = ResumeForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: stakes_resume(
            scope=form.cleaned_data["scope"],
            actor=request.user,
            reason=form.cleaned_data["reason"],
        ),
        done=_("Stakes are taken again."),
        back=resolve_url("desk:stops"),
    )


def _rows() -> list[StopRow]:
    found = list(stops_in_force())
    ids = [stop.scope.removeprefix("player:") for stop in found]
    people = User.objects.in_bulk([int(pk) for pk in ids if pk.isdecimal()])
    return [
        StopRow(stop, people.get(int(pk)) if pk.isdecimal() else None)
        for stop, pk in zip(found, ids, strict=True)
    ]
