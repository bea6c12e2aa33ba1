"""The page on which people report what a club or a tournament is called."""

from collections.abc import Callable
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.names import REASON_NAMES
from games.table.errors import TableError
from games.table.talk import REPORT_WORDS_LENGTH_MAX
from kit.requests import SignedInRequest
from tournaments.pages.clubs import readable
from tournaments.pages.words import refused
from tournaments.services.judging import REASONS


class ReportForm(forms.Form):
    """Why a name or a description is reported."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What is wrong with it?"),
        choices=[(key, REASON_NAMES[key]) for key in REASONS],
    )
    words = forms.CharField(
        label=gettext_lazy("In your own words (optional)"),
        max_length=REPORT_WORDS_LENGTH_MAX,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@dataclass(frozen=True, slots=True)
class Reported:
    """The words that are reported, and the pages around them: their own, and the list."""

    title: str
    lead: str
    name: str
    back: str
    all_of_them: tuple[str, str]
    about: str = ""


def report_page(
    request: SignedInRequest, page: Reported, report: Callable[..., object]
) -> HttpResponse:
    """Show the form, or make the report by `report(user, reason, words)`."""
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            report(user=request.user, reason=given["reason"], words=readable(given["words"]))
        except TableError as error:
            form.add_error(None, refused(error))
        else:
            messages.success(request, _("The moderators will look at it. Thank you."))
            return redirect(page.back)
    return render(request, "tournaments/report.html", {"page": page, "form": form})
