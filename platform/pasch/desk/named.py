"""Names of clubs and tournaments: the shape that the desk's pages about them share."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from django import forms
from django.core.paginator import Page, Paginator
from django.db.models import Manager, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.names import REASON_NAMES
from kit.requests import SignedInRequest
from pasch.desk.decisions import decide_with
from pasch.desk.forms import ReasonForm, reason_field

ROWS: Final = 25
EARLIER: Final = 20

Json = dict[str, Any]


class NameDecisionForm(forms.Form):
    """A decision about words, exactly as they were shown, with a reason."""

    outcome = forms.ChoiceField(label=gettext_lazy("What follows"), widget=forms.RadioSelect)
    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = reason_field()

    def __init__(self, outcomes: Mapping[str, Any], data: Any = None, *, shown: str = "") -> None:
        """Offer these outcomes; `shown` is the token of the words on the page."""
        super().__init__(data, initial={"shown": shown})
        field = self.fields["outcome"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [*outcomes.items()]


def in_state(request: HttpRequest, rows: QuerySet[Any]) -> tuple[str, Page[Any]]:
    """The state that the reader chose, and a page of the reports in it.

    Open ones come first with the oldest, decided ones and all of them with the newest.
    """
    state = request.GET.get("state", "open")
    if state == "open":
        rows = rows.filter(outcome="").order_by("made_at")
    else:
        rows = rows.order_by("-made_at")
    if state == "decided":
        rows = rows.exclude(outcome="")
    return state, Paginator(rows, ROWS).get_page(request.GET.get("page"))


def reports_shown(
    reports: Iterable[Any], outcomes: Mapping[str, Any], own: Callable[[Any], bool]
) -> list[Json]:
    """The reports; people whom one is about do not see who made it and in which words."""
    return [
        {
            "report": each,
            "reporter": None if hidden else each.reporter,
            "words": "" if hidden else each.words,
            "reason_words": REASON_NAMES.get(each.reason, each.reason),
            "outcome_words": outcomes.get(each.outcome, each.outcome),
        }
        for each in reports
        for hidden in [own(each)]
    ]


def earlier(
    found: Any, outcomes: Mapping[str, Any], own: Callable[[Any], bool], restore: str
) -> Json:
    """The last reports of a club or a tournament, and what was taken away.

    Each removal comes with the form and the address (`restore` names it) that give it back.
    """
    reports: Manager[Any] = found.reports
    removals: Manager[Any] = found.removals
    last = reports.select_related("reporter").order_by("-made_at")[:EARLIER]
    taken = removals.select_related("taken_by").order_by("-taken_at")[:EARLIER]
    return {
        "reports": reports_shown(last, outcomes, own),
        "removals": [
            (each, ReasonForm(auto_id=f"back_{each.pk}_%s"), resolve_url(restore, each.pk))
            for each in taken
        ],
    }


def decided(
    request: SignedInRequest, outcomes: Mapping[str, Any], service: Callable[..., object], back: str
) -> HttpResponse:
    """Carry out the decision of the form by `service(actor, outcome, shown, reason)`."""
    form = NameDecisionForm(outcomes, request.POST)
    return decide_with(
        request,
        form,
        lambda: service(actor=request.user, **form.cleaned_data),
        done=_("Decided."),
        back=back,
    )


def given_back(request: SignedInRequest, service: Callable[..., object], back: str) -> HttpResponse:
    """Give back what was taken away by `service(actor, reason)`."""
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: service(actor=request.user, **form.cleaned_data),
        done=_("Given back."),
        back=back,
    )
