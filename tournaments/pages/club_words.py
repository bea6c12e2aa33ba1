"""Name and description of a club: reporting them, and writing them anew."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.requests import SignedInRequest
from games.forms.names import REASON_NAMES
from games.table.errors import TableError
from games.table.talk import REPORT_WORDS_LENGTH_MAX
from tournaments.errors import NotDirector
from tournaments.models import Club
from tournaments.pages.clubs import ClubWordsForm, readable
from tournaments.pages.words import refused
from tournaments.selectors_clubs import club_get
from tournaments.services import club_words
from tournaments.services.clubs import director_check


class WordsForm(ClubWordsForm):
    """The description of a club, and its name where that was taken away."""

    def __init__(self, data: Any, club: Club) -> None:
        """Begin with the words of this club."""
        super().__init__(data, initial={"name": club.name, "about": club.about})
        if not club.unnamed:
            del self.fields["name"]


class ReportForm(forms.Form):
    """Why name or description of a club are reported."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What is wrong with it?"),
        choices=[(key, REASON_NAMES[key]) for key in club_words.REASONS],
    )
    words = forms.CharField(
        label=gettext_lazy("In your own words (optional)"),
        max_length=REPORT_WORDS_LENGTH_MAX,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_edit(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Let a director write the description anew, and the name where it was taken away."""
    club = _club(club_id)
    form = WordsForm(request.POST if request.method == "POST" else None, club)
    try:
        director_check(club, request.user.pk)
        if request.method == "POST" and form.is_valid():
            club_words.club_describe(director=request.user, club_id=club_id, **form.cleaned_data)
            return redirect("club", club_id=club_id)
    except NotDirector as error:
        raise PermissionDenied from error
    except TableError as error:
        form.add_error(None, refused(error))
    return render(request, "tournaments/club_edit.html", {"club": club, "form": form})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_report(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Report name and description of a club to the moderators."""
    club = _club(club_id)
    form = ReportForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            club_words.club_report(
                user=request.user,
                club_id=club_id,
                reason=given["reason"],
                words=readable(given["words"]),
            )
        except TableError as error:
            form.add_error(None, refused(error))
        else:
            messages.success(request, _("The moderators will look at it. Thank you."))
            return redirect("club", club_id=club_id)
    return render(request, "tournaments/club_report.html", {"club": club, "form": form})


def _club(club_id: UUID) -> Club:
    club = club_get(club_id)
    if club is None:
        raise Http404
    return club
