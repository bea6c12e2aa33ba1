"""Names of clubs and tournaments: the pages that report them, and those that write them anew."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from games.forms.names import REASON_NAMES
from games.table.talk import REPORT_WORDS_LENGTH_MAX
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.errors import NotDirector
from tournaments.models import Club
from tournaments.pages.clubs import ClubWordsForm, readable
from tournaments.selectors import club_get, tournament_get
from tournaments.services.clubs import director_check
from tournaments.services.words import CLUB, REASONS, TOURNAMENT, club_describe, words_report
from tournaments.visibility import is_seen


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
class ReportedWords:
    """The words that are reported, and the pages around them: their own, and the list."""

    title: str
    lead: str
    name: str
    back: str
    all_of_them: tuple[str, str]
    about: str = ""


def report_page(
    request: SignedInRequest, page: ReportedWords, report: Callable[..., object]
) -> HttpResponse:
    """Show the form, or make the report by `report(user, reason, words)`."""
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            report(user=request.user, reason=given["reason"], words=readable(given["words"]))
        except Refusal as error:
            form.add_error(None, sentence(error))
        else:
            messages.success(request, _("The moderators will look at it. Thank you."))
            return redirect(page.back)
    return render(request, "tournaments/report.html", {"page": page, "form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: SignedInRequest, tournament_id: UUID) -> HttpResponse:
    """Report the name of a tournament to the moderators; 404 where the house named it."""
    found = tournament_get(tournament_id, request.user.pk)
    if found is None or found.founder_id is None or not found.name:
        raise Http404
    page = ReportedWords(
        title=_("Report a tournament"),
        lead=_("This is about the name of the tournament."),
        name=found.name,
        back=resolve_url("tournament", tournament_id),
        all_of_them=(resolve_url("tournaments"), _("Tournaments")),
    )
    return report_page(request, page, partial(words_report, TOURNAMENT, subject_id=tournament_id))


class WordsForm(ClubWordsForm):
    """The description of a club, and its name where that was taken away."""

    def __init__(self, data: Any, club: Club) -> None:
        """Begin with the words of this club."""
        super().__init__(data, initial={"name": club.name, "about": club.about})
        if not club.unnamed:
            del self.fields["name"]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Let a director write the description anew, and the name where it was taken away."""
    club = _club(club_id)
    form = WordsForm(request.POST if request.method == "POST" else None, club)
    try:
        director_check(club, request.user.pk)
        if request.method == "POST" and form.is_valid():
            club_describe(director=request.user, club_id=club_id, **form.cleaned_data)
            return redirect("club", club_id=club_id)
    except NotDirector as error:
        raise PermissionDenied from error
    except Refusal as error:
        form.add_error(None, sentence(error))
    return render(request, "tournaments/club_edit.html", {"club": club, "form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_report(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Report name and description of a club to the moderators."""
    club = _club(club_id)
    page = ReportedWords(
        title=_("Report a club"),
        lead=_(
            "This is about the name or the description of the club. Messages of its chat are"
            " reported in the chat."
        ),
        name=club.name,
        about=club.about if is_seen(club, request.user.pk) else "",
        back=resolve_url("club", club_id),
        all_of_them=(resolve_url("clubs"), _("Clubs")),
    )
    return report_page(request, page, partial(words_report, CLUB, subject_id=club_id))


def _club(club_id: UUID) -> Club:
    club = club_get(club_id)
    if club is None:
        raise Http404
    return club
