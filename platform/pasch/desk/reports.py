"""Reports: the lists of each kind, and those of talk, with the messages before, decided."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from fairplay.chat import OUTCOMES, report_close
from fairplay.pages.words import OUTCOME_NAMES
from games.forms.names import REASON_NAMES
from games.kinds import kind_of, kinds
from games.models import ChatReport
from games.templatetags.talk_strings import phrases
from kit.requests import SignedInRequest
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page
from pasch.desk.decisions import decide_with
from pasch.desk.forms import reason_field

EARLIER: Final = 10
ROWS: Final = 25


class OutcomeForm(forms.Form):
    """The outcome of a complaint, and the reason."""

    outcome = forms.ChoiceField(
        label=gettext_lazy("What follows"),
        choices=[(key, OUTCOME_NAMES[key]) for key in OUTCOMES],
        widget=forms.RadioSelect,
    )
    reason = reason_field()


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report as its reader sees it: what it is about, and how it was decided."""

    report: Any
    text: str
    address: str
    reporter: User | None
    words: str
    reason_words: str | Promise
    outcome_words: str | Promise


@dataclass(frozen=True, slots=True)
class ReportList:
    """The list of one kind of reports: its words, those that a reader may see, and their rows."""

    title: str | Promise
    lead: str | Promise
    found: Callable[[User], QuerySet[Any]]
    rows: Callable[[Iterable[Any], SignedInRequest], list[ReportRow]]
    names_author: bool = False


def report_row(
    report: Any, outcomes: Mapping[str, Any], *, own: bool, text: str, address: str
) -> ReportRow:
    """A report in words; whom it is about (`own`) does not see who made it and in which words."""
    return ReportRow(
        report=report,
        text=text,
        address=address,
        reporter=None if own else report.reporter,
        words="" if own else report.words,
        reason_words=REASON_NAMES.get(report.reason, report.reason),
        outcome_words=outcomes.get(report.outcome, report.outcome),
    )


@desk_page("games.view_chatreport")
@require_safe
def reports(request: SignedInRequest, kind: ReportList) -> HttpResponse:
    """List reports of a kind: the open ones, the oldest first, or those that are decided."""
    state, found = request.GET.get("state", "open"), kind.found(request.user)
    if state == "open":
        found = found.filter(outcome="").order_by("made_at")
    else:
        found = found.order_by("-made_at")
    if state == "decided":
        found = found.exclude(outcome="")
    page = Paginator(found, ROWS).get_page(request.GET.get("page"))
    context = {"kind": kind, "page": page, "rows": kind.rows(page, request), "state": state}
    return render(request, "desk/reports.html", context)


@desk_page("games.view_chatreport")
@require_safe
def report(request: SignedInRequest, report_id: int) -> HttpResponse:
    """Show one report with the messages before it, and the outcomes of earlier ones."""
    found = get_object_or_404(
        _readable(request.user.pk).select_related("author", "reporter", "closed_by"), pk=report_id
    )
    earlier = _readable(request.user.pk).filter(author=found.author_id).exclude(outcome="")
    earlier = earlier.exclude(pk=found.pk).order_by("-closed_at")
    involved = request.user.pk in (found.author_id, found.reporter_id)
    (row, *before) = _rows([found, *earlier[:EARLIER]], request)
    context = {
        "row": row,
        "report": found,
        "said": row.text,
        "place": _place(found),
        "context": [_line(row) for row in found.context],
        "earlier": before,
        "may_decide": request.user.has_perm("games.decide_chatreport") and not involved,
        "involved": involved,
        "form": OutcomeForm(),
        "journal": journal(subject=f"report:{found.pk}"),
    }
    return render(request, "desk/report.html", context)


@desk_page("games.decide_chatreport")
@require_POST
def close(request: SignedInRequest, report_id: int) -> HttpResponse:
    """Decide a complaint."""
    get_object_or_404(_readable(request.user.pk), pk=report_id)
    form = OutcomeForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: report_close(
            report_id=report_id,
            actor=request.user,
            outcome=form.cleaned_data["outcome"],
            reason=form.cleaned_data["reason"],
        ),
        done=_("Decided."),
        back=resolve_url("desk:report", report_id),
    )


def _readable(moderator: int) -> QuerySet[ChatReport]:
    """All reports but those from rooms in which this moderator may not judge: they sat there."""
    rooms = [room for kind in kinds() for room in kind.rooms_sat_in(moderator)]
    return ChatReport.objects.exclude(room__in=rooms)


def _place(found: ChatReport) -> str:
    """The page where it was said."""
    if found.table_id is not None:
        return resolve_url("table", found.table_id)
    kind, _colon, key = found.room.partition(":")
    table = kind_of(kind)
    return resolve_url("desk:club" if table is None else table.room_page, UUID(key))


def _rows(found: Iterable[ChatReport], request: SignedInRequest) -> list[ReportRow]:
    return [
        report_row(
            each,
            OUTCOME_NAMES,
            own=each.author_id == request.user.pk,
            text=_words(each.said),
            address=resolve_url("desk:report", each.pk),
        )
        for each in found
    ]


def _line(row: dict[str, object]) -> dict[str, object]:
    """A message of the context as people read it."""
    at = datetime.fromtimestamp(int(str(row["at_ms"])) / 1000, UTC)
    return {**row, "said": _words(str(row["said"])), "at": at}


def _words(said: str) -> str:
    """A message; a set phrase, stored as `[key]`, in the reader's language."""
    phrase = phrases().get(f"phrase_{said[1:-1]}") if said.startswith("[") else None
    return phrase or said


CHATS: Final = ReportList(
    title=gettext_lazy("Reports"),
    lead="",
    found=lambda reader: _readable(reader.pk).select_related("author", "reporter", "closed_by"),
    rows=_rows,
    names_author=True,
)
