"""Clubs: all of them, one, and founding one."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.models import Club, ClubStanding
from tournaments.pages.calendar import row_of
from tournaments.pages.club_talk import talk_context
from tournaments.seasons import PLACE_POINTS, TAKES_PART, season_of
from tournaments.selectors import (
    about_was_taken,
    club_get,
    clubs,
    clubs_of,
    memberships_of,
    season_lines,
    standing_of,
    tournaments_of,
)
from tournaments.services.clubs import club_found, club_join, club_leave, member_invite, member_set
from tournaments.visibility import is_seen

NAME_LONGEST = 40
ABOUT_LONGEST = 1000


class ClubWordsForm(forms.Form):
    """The name of a club, and its description."""

    name = forms.CharField(label=gettext_lazy("Name"), min_length=3, max_length=NAME_LONGEST)
    about = forms.CharField(
        label=gettext_lazy("About the club"),
        max_length=ABOUT_LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


class ClubForm(ClubWordsForm):
    """A new club."""

    is_open = forms.BooleanField(
        label=gettext_lazy("Everybody can join without asking"), required=False, initial=True
    )


@require_GET
def all_clubs(request: HttpRequest) -> HttpResponse:
    """All clubs, and the reader's own with invitations."""
    search = readable(request.GET.get("search", ""))
    context = {
        "clubs": clubs(request.user.pk, search),
        "search": search,
        "mine": clubs_of(request.user.pk) if request.user.pk else [],
    }
    return render(request, "tournaments/clubs.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_club(request: SignedInRequest) -> HttpResponse:
    """Found a club."""
    form = ClubForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            club = club_found(user=request.user, **form.cleaned_data)
        except Refusal as error:
            form.add_error("name" if error.code != "clubs_too_many" else None, sentence(error))
        else:
            return redirect("club", club_id=club.pk)
    return render(request, "tournaments/club_new.html", {"form": form})


@require_GET
def club(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """A club: its table of the season, its tournaments and its members.

    People who do not see it get its name, and can ask to join.
    """
    found = club_get(club_id)
    if found is None:
        raise Http404
    reader = request.user.pk
    if not is_seen(found, reader):
        outside = {"club": found, "mine": standing_of(found, reader)}
        return render(request, "tournaments/club_closed.html", outside)
    rows = memberships_of(found)
    mine = next((each for each in rows if each.user_id == reader), None)
    now = timezone.now()
    year, quarter = season_of(now)
    context = {
        "club": found,
        "mine": mine,
        "is_director": mine is not None and mine.standing == ClubStanding.DIRECTOR,
        "members": [each for each in rows if each.standing in ("member", "director")],
        "waiting": [each for each in rows if each.standing in ("asked", "invited")],
        "table": _table(found, now, reader),
        "season": f"{quarter}/{year}",
        "points": [*enumerate(PLACE_POINTS, start=1)],
        "takes_part": TAKES_PART,
        "tournaments": [row_of(each) for each in tournaments_of(found)],
        "about_taken": about_was_taken(found),
        **talk_context(found, reader),
    }
    return render(request, "tournaments/club.html", context)


def readable(text: str) -> str:
    """A line as it can be read and stored."""
    return "".join(filter(str.isprintable, text)).strip()


def _table(found: Club, now: datetime, reader: int | None) -> list[dict[str, Any]]:
    lines = season_lines(found, now)
    users = get_user_model().objects.in_bulk([line.user_id for line in lines])
    return [
        {"line": line, "user": users[line.user_id], "me": line.user_id == reader}
        for line in lines
        if line.user_id in users
    ]


@login_required
@require_POST
def club_act(request: SignedInRequest, club_id: UUID) -> HttpResponse:
    """Join, leave, invite, or change what a member is."""
    wish, person = request.POST.get("wish", ""), request.POST.get("person", "")
    try:
        if wish == "join":
            club_join(user=request.user, club_id=club_id)
        elif wish == "leave":
            club_leave(user=request.user, club_id=club_id)
        elif wish == "invite":
            member_invite(director=request.user, club_id=club_id, name=readable(person))
        elif wish in ("member", "director", "out") and re.fullmatch("[0-9]{1,18}", person):
            standing = "" if wish == "out" else wish
            member_set(
                director=request.user, club_id=club_id, user_id=int(person), standing=standing
            )
    except Refusal as error:
        messages.error(request, sentence(error))
    return redirect("club", club_id=club_id)
