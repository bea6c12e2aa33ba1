"""Reports of words: the list; the pages of a message, a club and a tournament; decisions."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games.forms.names import OUTCOME_NAMES, PHRASE_NAMES, REASON_NAMES
from games.kinds import kind_of, kinds
from games.models import WordsReport
from games.services.chat_reports import TALK
from games.services.moderation import Subject, WordsKind, may_judge, words_decide, words_shown
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page
from ledger.desk.decisions import decide_with
from ledger.desk.forms import ReasonForm, reason_field
from ledger.selectors_desk import journal
from tournaments.models import Club, Tournament, WordsRemoval
from tournaments.services.words import (
    CLUB,
    TOURNAMENT,
    own_clubs,
    reports_of,
    title_of,
    words_restore,
)

EARLIER: Final = 20
ROWS: Final = 25
READ: Final = "games.view_wordsreport"
DECIDE: Final = "games.decide_wordsreport"


@dataclass(frozen=True, slots=True)
class WordsPage:
    """The page of one kind of words: what is decided about there, and what it is called."""

    words: WordsKind
    title: str | Promise
    page: str
    subjects: Callable[[User], QuerySet[Any]]
    name: Callable[[Subject], str] = str


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report as its reader sees it: what it is about, and how it was decided."""

    report: WordsReport
    kind: str | Promise
    text: str
    address: str
    reporter: User | None
    words: str
    reason_words: str | Promise
    outcome_words: str | Promise


class DecisionForm(forms.Form):
    """A decision about words, exactly as they were shown, with a reason."""

    outcome = forms.ChoiceField(label=gettext_lazy("What follows"), widget=forms.RadioSelect)
    shown = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    reason = reason_field()

    def __init__(self, kind: WordsKind, data: Any = None, *, shown: str = "") -> None:
        """Offer the outcomes of this kind; `shown` is the token of the words on the page."""
        super().__init__(data, initial={"shown": shown})
        field = self.fields["outcome"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(key, OUTCOME_NAMES[key]) for key in kind.outcomes]


@desk_page(READ)
@require_safe
def reports(request: SignedInRequest) -> HttpResponse:
    """List reports: the open ones, the oldest first, or those that are decided."""
    state, found = request.GET.get("state", "open"), _readable(request.user)
    if state == "open":
        found = found.filter(outcome="").order_by("made_at")
    else:
        found = found.order_by("-made_at")
    if state == "decided":
        found = found.exclude(outcome="")
    page = Paginator(found, ROWS).get_page(request.GET.get("page"))
    context = {"page": page, "rows": report_rows(page, request.user), "state": state}
    return render(request, "desk/reports.html", context)


@desk_page(READ)
@require_safe
def report(request: SignedInRequest, report_id: int) -> HttpResponse:
    """Show one report of talk with the messages before it, and the outcomes of earlier ones."""
    found = get_object_or_404(_talk(request.user), pk=report_id)
    earlier = _talk(request.user).filter(author=found.author_id).exclude(outcome="")
    earlier = earlier.exclude(pk=found.pk).order_by("-closed_at")
    (row, *before) = report_rows([found, *earlier[:EARLIER]], request.user)
    context = {
        "row": row,
        "report": found,
        "place": _place(found),
        "context": [_line(row) for row in found.context],
        "earlier": before,
        "may_judge": may_judge(TALK, request.user, found),
        "form": DecisionForm(TALK),
        "journal": journal(subject=f"report:{found.pk}"),
    }
    return render(request, "desk/report.html", context)


@desk_page(READ)
@require_safe
def named(request: SignedInRequest, kind: str, **ids: UUID) -> HttpResponse:
    """Show the words of a club or a tournament, who reported them, and what was taken away."""
    page, (subject_id,) = PAGES[kind], ids.values()
    found = get_object_or_404(page.subjects(request.user), pk=subject_id)
    last = reports_of(found).select_related("reporter").order_by("-made_at")
    removals = found.removals.select_related("taken_by").order_by("-taken_at")
    context = {
        kind: found,
        "name": page.name(found),
        "decide_at": resolve_url(f"{page.page}_decide", subject_id),
        "reports": report_rows(last[:EARLIER], request.user),
        "removals": [
            (
                each,
                ReasonForm(auto_id=f"back_{each.pk}_%s"),
                resolve_url(f"{page.page}_restore", each.pk),
            )
            for each in removals[:EARLIER]
        ],
        "may_judge": may_judge(page.words, request.user, found),
        "form": DecisionForm(page.words, shown=words_shown(page.words, found)),
        "journal": journal(subject=f"{kind}:{found.pk}"),
    }
    return render(request, "desk/named.html", context)


@desk_page(DECIDE)
@require_POST
def decide(request: SignedInRequest, kind: str, **ids: Any) -> HttpResponse:
    """Close a report of talk, or all reports of a club or a tournament, with what follows."""
    page, (subject_id,) = PAGES[kind], ids.values()
    get_object_or_404(page.subjects(request.user), pk=subject_id)
    form = DecisionForm(page.words, request.POST)
    return decide_with(
        request,
        form,
        lambda: words_decide(
            page.words, actor=request.user, subject_id=subject_id, **form.cleaned_data
        ),
        done=_("Decided."),
        back=resolve_url(page.page, subject_id),
    )


@desk_page(DECIDE)
@require_POST
def restore(request: SignedInRequest, kind: str, removal_id: int) -> HttpResponse:
    """Give back what was taken away."""
    page = PAGES[kind]
    removal = get_object_or_404(WordsRemoval.objects.exclude(**{kind: None}), pk=removal_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: words_restore(
            page.words, actor=request.user, removal_id=removal_id, **form.cleaned_data
        ),
        done=_("Given back."),
        back=resolve_url(page.page, getattr(removal, f"{kind}_id")),
    )


def _readable(moderator: User) -> QuerySet[WordsReport]:
    """All reports but those from rooms in which this moderator may not judge: they sat there."""
    rooms = [room for kind in kinds() for room in kind.rooms_sat_in(moderator.pk)]
    found = WordsReport.objects.select_related("author", "reporter", "closed_by")
    return found.exclude(kind="talk", subject__in=rooms)


def _talk(moderator: User) -> QuerySet[WordsReport]:
    return _readable(moderator).filter(kind="talk")


def report_rows(found: Iterable[WordsReport], reader: User) -> list[ReportRow]:
    """Reports in words; whom one is about does not see who made it and in which words."""
    found = list(found)
    clubs = own_clubs(reader)
    held = Tournament.objects.filter(
        Q(founder=reader) | Q(club__in=clubs),
        pk__in=[_key(report) for report in found if report.kind == "tournament"],
    )
    own = {*(f"club:{club}" for club in clubs), *(each.reference for each in held)}
    rows = []
    for report in found:
        page, talk = PAGES[report.kind], report.kind == "talk"
        hidden = report.author_id == reader.pk if talk else report.subject in own
        row = ReportRow(
            report=report,
            kind=page.title,
            text=_words(report.said) if talk else report.said,
            address=resolve_url(page.page, report.pk if talk else _key(report)),
            reporter=None if hidden else report.reporter,
            words="" if hidden else report.words,
            reason_words=REASON_NAMES.get(report.reason, report.reason),
            outcome_words=OUTCOME_NAMES.get(report.outcome, report.outcome),
        )
        rows.append(row)
    return rows


def _key(report: WordsReport) -> UUID:
    return UUID(report.subject.partition(":")[2])


def _place(found: WordsReport) -> str:
    """The page where it was said."""
    kind = found.subject.partition(":")[0]
    table = kind_of(kind)
    page = table.room_page if table else "table" if kind == "table" else "desk:club"
    return resolve_url(page, _key(found))


def _line(row: dict[str, object]) -> dict[str, object]:
    """A message of the context as people read it."""
    at = datetime.fromtimestamp(int(str(row["at_ms"])) / 1000, UTC)
    return {**row, "said": _words(str(row["said"])), "at": at}


def _words(said: str) -> str:
    """A message; a set phrase, stored as `[key]`, in the reader's language."""
    phrase = PHRASE_NAMES.get(said[1:-1]) if said.startswith("[") else None
    return str(phrase or said)


PAGES: Final = {
    "talk": WordsPage(TALK, gettext_lazy("Message"), "desk:report", _talk),
    "club": WordsPage(
        CLUB,
        gettext_lazy("Club"),
        "desk:club",
        lambda _reader: Club.objects.select_related("founder"),
        lambda club: str(club.name),
    ),
    "tournament": WordsPage(
        TOURNAMENT,
        gettext_lazy("Tournament"),
        "desk:title",
        lambda _reader: Tournament.objects.filter(founder__isnull=False).select_related(
            "founder", "club"
        ),
        title_of,
    ),
}
