"""The talk on the page of a club: its lines, writing one, and what can be done about one."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID, uuid4, uuid5

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.forms.names import PHRASE_NAMES, REASON_NAMES
from games.selectors import chat_frame, ears_of, message_shown
from games.services.chat import messages_in, mute_set, room_say
from games.services.chat_reports import room_report
from games.table.talk import (
    REPORT_REASONS,
    REPORT_WORDS_LENGTH_MAX,
    TEXT_LENGTH_MAX,
    Ears,
    Utterance,
)
from games.wire.frames import Message
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from tournaments.models import IN, Club, ClubStanding
from tournaments.selectors import club_get, standing_of
from tournaments.services.club_talk import ClubRoom, line_remove

#: htmx shows the answer and asks no more
STOP_POLLING: Final = 286

#: the name space of the ids that the page gives to messages
_FORMS: Final = UUID("5b1f2b0e-6c0e-4f43-9a53-0f0a5c6a7f01")


def talk_context(club: Club, reader: int | None) -> dict[str, Any]:
    """The talk as this reader sees it; without `talk` where it is closed to them.

    Directors see the lines that they chose not to see folded, as they are to remove bad ones.
    """
    room = ClubRoom(club.pk)
    if not room.is_open_to(reader):
        return {"talk": None}
    standing, chosen = _standing(club, reader), ears_of(reader)
    ears = chosen.without_choices() if standing == ClubStanding.DIRECTOR else chosen
    frame = chat_frame(messages_in(room), room.seats(), ears)
    lines = [_line(each, chosen) for each in frame.messages]
    open_lines = sum(not each["folded"] for each in lines)
    return {
        "talk": lines,
        "talk_seen": "-".join(str(each["number"]) for each in (*lines[-1:], *lines[:1]))
        + f"-{open_lines}",
        "may_write": standing in IN,
        "form_id": uuid4(),
        "text_most": TEXT_LENGTH_MAX,
    }


def _line(shown: Message, chosen: Ears) -> dict[str, Any]:
    """A line for a reader with these choices; `folded` if they chose not to see it."""
    author, free = shown.author, shown.text is not None
    said = Utterance(author=author.id, audience=shown.audience, seats=(None, None), free=free)
    return {
        "number": shown.number,
        "author": author.name,
        "author_id": author.id,
        "mine": author.id == chosen.person,
        "folded": not chosen.hear(said),
        "text": shown.text or str(PHRASE_NAMES[shown.phrase or ""]),
        "at": datetime.fromtimestamp(shown.at_ms / 1000, UTC),
    }


@require_GET
def club_talk(request: HttpRequest, club_id: UUID) -> HttpResponse:
    """The lines of the talk for htmx, or nothing where they are as before."""
    club = club_get(club_id)
    if club is None:
        raise Http404
    context = talk_context(club, request.user.pk)
    if context["talk"] is None:  # closed to this reader by now: the page is emptied
        return HttpResponse(status=STOP_POLLING)
    seen = request.GET.get("seen", "")
    if seen == context["talk_seen"]:
        return HttpResponse(status=204)
    last = seen.partition("-")[0]
    newest = int(last) if last.isascii() and last.isdecimal() and len(last) < 20 else 0
    context["news"] = [
        line
        for line in context["talk"]
        if line["number"] > newest and not line["mine"] and not line["folded"]
    ]
    return render(request, "tournaments/club_talk.html", {"club": club, **context})


@login_required
@require_POST
def club_say(request: SignedInRequest, club_id: UUID) -> HttpResponseBase:
    """Write a line; the same form sent twice writes it once."""
    text = request.POST.get("text", "")
    name = uuid5(_FORMS, f"{request.POST.get('form', '')[:64]} {text}")
    try:
        room_say(ClubRoom(club_id), user_id=request.user.pk, client_id=str(name), text=text)
    except Refusal as error:
        messages.error(request, sentence(error))
    return _back(club_id)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def club_line(request: SignedInRequest, club_id: UUID, number: int) -> HttpResponseBase:
    """A line of the talk: report it, mute its author, or take it away."""
    club = _club(club_id, request.user.pk)
    message = messages_in(ClubRoom(club_id)).select_related("author").filter(pk=number).first()
    if message is None:
        raise Http404
    line = _line(message_shown(message), ears_of(request.user.pk))
    is_director = _standing(club, request.user.pk) == ClubStanding.DIRECTOR
    if line["folded"] and not is_director:
        raise Http404
    if request.method == "POST":
        try:
            _line_act(request, club, line)
        except Refusal as error:
            messages.error(request, sentence(error))
        return _back(club_id)
    context = {
        "club": club,
        "line": line,
        "reasons": [(key, REASON_NAMES[key]) for key in REPORT_REASONS],
        "words_most": REPORT_WORDS_LENGTH_MAX,
        "is_director": is_director,
    }
    return render(request, "tournaments/club_line.html", context)


def _line_act(request: SignedInRequest, club: Club, line: Mapping[str, Any]) -> None:
    given, number = request.POST, line["number"]
    match given.get("wish"):
        case "remove":
            line_remove(director_id=request.user.pk, club_id=club.pk, message_id=number)
            messages.success(request, _("The message is gone."))
        case "mute":
            mute_set(user_id=request.user.pk, person_id=line["author_id"], on=True)
        case "report" if given.get("reason") in REPORT_REASONS:
            room_report(
                ClubRoom(club.pk),
                user_id=request.user.pk,
                message_id=number,
                reason=given["reason"],
                words=given.get("words", "")[:REPORT_WORDS_LENGTH_MAX],
            )
            messages.success(request, _("Reported. The moderators will look at it."))


def _moment(ms: object) -> datetime:
    return datetime.fromtimestamp(int(str(ms)) / 1000, UTC)


def _standing(club: Club, user_id: int | None) -> str:
    found = standing_of(club, user_id)
    return "" if found is None else found.standing


def _club(club_id: UUID, reader: int | None) -> Club:
    """The club, if its talk is open to this reader."""
    club = club_get(club_id)
    if club is None or not ClubRoom(club_id).is_open_to(reader):
        raise Http404
    return club


def _back(club_id: UUID) -> HttpResponse:
    return redirect(f"{resolve_url('club', club_id=club_id)}#talk")
