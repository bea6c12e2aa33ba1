"""Name and description of a club: reporting them, and writing them anew."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.table.errors import TableError
from kit.requests import SignedInRequest
from tournaments.errors import NotDirector
from tournaments.models import Club
from tournaments.pages.clubs import ClubWordsForm
from tournaments.pages.reporting import Reported, report_page
from tournaments.pages.words import refused
from tournaments.seen import is_seen
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
    page = Reported(
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
    return report_page(request, page, partial(club_words.club_report, club_id=club_id))


def _club(club_id: UUID) -> Club:
    club = club_get(club_id)
    if club is None:
        raise Http404
    return club
