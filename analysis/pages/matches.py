"""My matches: what was played here and what was brought from elsewhere, side by side."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from analysis.imports.listed import (
    ListedMatch,
    MatchFilters,
    Shown,
    listed,
    lists_of,
    sources_of,
)
from analysis.imports.names import name_forget, name_say, names_asked, names_said
from analysis.imports.removing import can_be_undone, matches_remove, matches_restore
from analysis.imports.sending import import_of, imports_of
from analysis.imports.standing import (
    analysis_standing,
    corrected_files,
    import_standing,
    jacoby_assumed,
)
from analysis.models import ImportedMatch
from analysis.models.imports import HERE, UNKNOWN
from analysis.pages.decision_curve import curve_shown
from analysis.pages.imports import faults_shown, limits_shown
from analysis.pages.numbers import of_result, plain
from analysis.pages.source_words import source_words
from backgammon.formats.registry import WRITTEN
from games.forms.filters import ArchiveForm
from games.forms.names import GAME_NAMES
from games.models import Match
from games.pages.archive import FILES_MAX
from games.services.archive import ARCHIVE, is_analysed, is_session
from kit.requests import SignedInRequest

Row = dict[str, Any]

ROWS_A_PAGE: Final = 25

#: so many matches can be chosen at once.
CHOSEN_MOST: Final = 100


class MatchesForm(ArchiveForm):
    """Which of one's matches to show; the fields are in the address."""

    source = forms.ChoiceField(label=gettext_lazy("Source"), required=False)
    length = forms.IntegerField(
        label=gettext_lazy("Length"), required=False, min_value=0, max_value=99
    )
    year = forms.IntegerField(
        label=gettext_lazy("Year"), required=False, min_value=1900, max_value=9999
    )

    def __init__(self, asked: Any, sources: list[str]) -> None:
        """Offer the sources that this person has."""
        super().__init__(asked)
        offered = [HERE, *(source or UNKNOWN for source in sources)]
        choice = self.fields["source"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [
            ("", gettext_lazy("every source")),
            *((each, source_words(each)) for each in offered),
        ]

    def wanted(self) -> dict[str, Any]:
        """The filters that can be understood; a length of 0 is unlimited play."""
        self.is_valid()
        return {name: each for name, each in self.cleaned_data.items() if each not in (None, "")}


@login_required
@require_safe
@never_cache
def matches(request: SignedInRequest) -> HttpResponse:
    """The matches of a person; `part=import` is how far the newest import is, for a script."""
    if request.GET.get("part") == "import":
        return render(request, "analysis/import_standing.html", _import_shown(request))
    sources = sources_of(request.user)
    form = MatchesForm(request.GET, sources)
    wanted, came = form.wanted(), _came_with(request)
    filtered = bool(wanted or came)
    lists = lists_of(request.user, MatchFilters(**wanted, **came))
    page = ARCHIVE.page(request.GET, ROWS_A_PAGE, *lists)
    context = _import_shown(request) | {
        "form": form,
        "filtered": filtered,
        "came": came,
        "page": page,
        "rows": [_line(row) for row in listed(page.rows, request.user)],
        "has_brought": bool(sources),
        "formats": WRITTEN,
        "files_max": FILES_MAX,
        "first": ARCHIVE.mark(page.rows[0]) if page.above else None,
        "asked": [
            (each, source_words(each.source or UNKNOWN)) for each in names_asked(request.user)
        ],
        "said": [(each, source_words(each.source or UNKNOWN)) for each in names_said(request.user)],
    }
    if not page.above:
        context |= curve_shown(request.user, request.GET.dict(), lists if filtered else None)
    return render(request, "analysis/matches.html", context)


def _came_with(request: SignedInRequest) -> Row:
    """The filter by an import, which the numbers of the import lead to."""
    try:
        upload = import_of(request.user, UUID(request.GET.get("import", "")))
    except ValueError:
        return {}
    return {} if upload is None else {"upload": upload, "in_part": "part" in request.GET}


def _import_shown(request: SignedInRequest) -> Row:
    """The newest import and how far it is."""
    upload = imports_of(request.user).first()
    context: Row = {"limits": limits_shown(), "analysed": analysis_standing(request.user)}
    if upload is None:
        return context
    standing = import_standing(upload)
    return context | {
        "upload": upload,
        "standing": standing,
        "waits": upload.sent_at is not None and not standing.is_read,
        "can_undo": can_be_undone(upload),
        "jacoby": jacoby_assumed(upload).items(),
        "faults": faults_shown(upload),
        "corrected": corrected_files(upload),
    }


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A row of the list in words; `opponent` is None for a match from elsewhere.

    `score` has the reader's points first, `names` those of others; both in the order of seats if
    nobody is the reader.
    """

    listed: ListedMatch
    opponent: User | None
    names: tuple[str, ...]
    source_words: str
    variant: str
    by_point: bool
    score: tuple[int, int]
    report_url: str
    pr: str = ""
    their_pr: str = ""
    luck: str = ""
    change_cents: int = 0
    share_url: str = ""

    @property
    def match(self) -> Shown:
        """The match itself."""
        return self.listed.match


def _line(row: ListedMatch) -> MatchLine:
    match = row.match
    near = row.seat or 0
    told: Row = {
        "listed": row,
        "names": row.names if row.seat is None else (row.names[1 - row.seat],),
        "source_words": source_words(row.source),
        "variant": GAME_NAMES.get(row.variant, row.variant),
        "score": (row.score[near], row.score[1 - near]),
        **_judged(row),
    }
    told |= _played(match, near) if isinstance(match, Match) else _brought(match)
    return MatchLine(**told)


def _played(match: Match, seat: int) -> Row:
    analysed = is_analysed(match, (match.player_0, match.player_1))
    return {
        "opponent": match.player_1 if seat == 0 else match.player_0,
        "by_point": is_session(match),
        "change_cents": (match.paid_cents or [0, 0])[seat] - match.stake_cents,
        "report_url": reverse("match_report", args=[match.pk]) if analysed else "",
    }


def _brought(match: ImportedMatch) -> Row:
    shared = match.share_key
    return {
        "opponent": None,
        "by_point": not match.transcript.length,
        "report_url": reverse("imported_report", args=[match.pk]),
        "share_url": reverse("shared_report", args=[shared]) if shared else "",
    }


def _judged(row: ListedMatch) -> Row:
    """The rates of both sides and one's own luck; seat 0's come first if nobody is the reader."""
    if row.report is None:
        return {}
    near = row.seat or 0
    mine, theirs = row.report.figures[near], row.report.figures[1 - near]
    luck = "" if row.seat is None else of_result(mine["gift"], points=not row.length)
    return {"pr": plain(mine["pr"]), "their_pr": plain(theirs["pr"]), "luck": luck}


@require_POST
@login_required
def chosen(request: SignedInRequest) -> HttpResponse:
    """Delete the chosen matches from elsewhere, or take that back; so with a link to each."""
    keys = []
    for text in request.POST.getlist("match")[:CHOSEN_MOST]:
        try:
            keys.append(UUID(text))
        except ValueError:
            continue
    found = ImportedMatch.objects.filter(person=request.user, pk__in=keys)
    match request.POST.get("action"):
        case "delete":
            gone = matches_remove(found)
            if gone:
                return _removed(request, gone)
        case "restore":
            count = matches_restore(request.user, keys)
            words = ngettext("%(count)d match is back.", "%(count)d matches are back.", count)
            messages.success(request, words % {"count": count})
        case "share":
            for each in found.filter(share_key=None):
                each.share_key = uuid4()
                each.save(update_fields=["share_key"])
            messages.success(request, _("With its link others can read a match now."))
        case "unshare":
            found.update(share_key=None)
            messages.success(request, _("The links lead nowhere any more."))
    return redirect(_back(request))


def _removed(request: SignedInRequest, keys: list[UUID]) -> HttpResponse:
    """Say what is deleted, with the way back."""
    count = len(keys)
    words = ngettext("%(count)d match is deleted.", "%(count)d matches are deleted.", count)
    context = {
        "title": words % {"count": count},
        "words": "",
        "restore_url": reverse("matches_chosen"),
        "fields": [
            ("action", "restore"),
            ("query", request.POST.get("query", "")),
            *(("match", key) for key in keys),
        ],
        "back_url": _back(request),
        "back_words": _("My matches"),
    }
    return render(request, "analysis/removed.html", context)


def _back(request: HttpRequest) -> str:
    """The list as it was filtered."""
    query = request.POST.get("query", "")[:500]
    return reverse("archive") + (f"?{query}" if query else "")


@require_POST
@login_required
def name(request: SignedInRequest) -> HttpResponse:
    """Note whether a name in the files is the reader's, or take that back."""
    answer = request.POST.get("mine")
    if answer not in ("yes", "no", "back") or not request.POST.get("name"):
        raise Http404
    source, named = request.POST.get("source", ""), request.POST["name"]
    if answer == "back":
        name_forget(request.user, source, named)
    else:
        name_say(request.user, source, named, is_mine=answer == "yes")
    return redirect(_back(request))
