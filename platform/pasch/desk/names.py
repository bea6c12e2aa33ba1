"""Words of clubs and tournaments: what was reported, and what moderators take away."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from kit.requests import SignedInRequest
from ledger.selectors_desk import journal
from pasch.desk.access import desk_page
from pasch.desk.decisions import decide_with
from pasch.desk.forms import ReasonForm, reason_field
from pasch.desk.reports import ReportList, ReportRow, report_row
from tournaments.models import Club, Tournament, WordsRemoval, WordsReport
from tournaments.pages.words import WORDS_OUTCOMES
from tournaments.services.naming import title_of
from tournaments.services.words import (
    CLUB,
    TOURNAMENT,
    Subject,
    WordsKind,
    may_judge,
    own_clubs,
    words_decide,
    words_restore,
    words_shown,
)

EARLIER: Final = 20


@dataclass(frozen=True, slots=True)
class NamesPage:
    """The pages of one kind: the rows that can be opened, the name shown, and the addresses."""

    words: WordsKind
    subjects: QuerySet[Any]
    name: Callable[[Subject], str]
    page: str
    decide_page: str
    restore_page: str

    @property
    def outcomes(self) -> Mapping[str, Any]:
        """The outcomes that moderators can choose, in words."""
        return {outcome: WORDS_OUTCOMES[outcome] for outcome in self.words.outcomes}


PAGES: Final[Mapping[str, NamesPage]] = {
    "club": NamesPage(
        CLUB,
        Club.objects.select_related("founder"),
        lambda club: str(club.name),
        "desk:club",
        "desk:club_decide",
        "desk:club_restore",
    ),
    "tournament": NamesPage(
        TOURNAMENT,
        Tournament.objects.filter(founder__isnull=False).select_related("founder", "club"),
        title_of,
        "desk:title",
        "desk:title_decide",
        "desk:title_restore",
    ),
}


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


@desk_page("games.view_chatreport")
@require_safe
def named(request: SignedInRequest, kind: str, **ids: UUID) -> HttpResponse:
    """Show the words of a club or a tournament, who reported them, and what was taken away."""
    pages, (subject_id,) = PAGES[kind], ids.values()
    found = get_object_or_404(pages.subjects, pk=subject_id)
    last = found.reports.select_related("reporter", "club", "tournament").order_by("-made_at")
    removals = found.removals.select_related("taken_by").order_by("-taken_at")
    context = {
        kind: found,
        "name": pages.name(found),
        "decide_at": resolve_url(pages.decide_page, subject_id),
        "reports": words_rows(last[:EARLIER], request),
        "removals": [
            (
                each,
                ReasonForm(auto_id=f"back_{each.pk}_%s"),
                resolve_url(pages.restore_page, each.pk),
            )
            for each in removals[:EARLIER]
        ],
        "may_judge": may_judge(pages.words, request.user, found),
        "form": NameDecisionForm(pages.outcomes, shown=words_shown(found)),
        "journal": journal(subject=f"{kind}:{found.pk}"),
    }
    return render(request, "desk/named.html", context)


@desk_page("games.decide_chatreport")
@require_POST
def decide(request: SignedInRequest, kind: str, **ids: UUID) -> HttpResponse:
    """Close the reports of a club or a tournament, and take away what offends."""
    pages, (subject_id,) = PAGES[kind], ids.values()
    get_object_or_404(pages.subjects, pk=subject_id)
    form = NameDecisionForm(pages.outcomes, request.POST)
    service = partial(words_decide, pages.words, actor=request.user, subject_id=subject_id)
    return decide_with(
        request,
        form,
        lambda: service(**form.cleaned_data),
        done=_("Decided."),
        back=resolve_url(pages.page, subject_id),
    )


@desk_page("games.decide_chatreport")
@require_POST
def restore(request: SignedInRequest, kind: str, removal_id: int) -> HttpResponse:
    """Give back what was taken away."""
    pages = PAGES[kind]
    removal = get_object_or_404(WordsRemoval.objects.exclude(**{kind: None}), pk=removal_id)
    form = ReasonForm(request.POST)
    service = partial(words_restore, pages.words, actor=request.user, removal_id=removal_id)
    return decide_with(
        request,
        form,
        lambda: service(**form.cleaned_data),
        done=_("Given back."),
        back=resolve_url(pages.page, getattr(removal, f"{kind}_id")),
    )


def words_rows(reports: Iterable[WordsReport], request: SignedInRequest) -> list[ReportRow]:
    """Reports of words; people whom one is about do not see who made it and in which words."""
    clubs, me = own_clubs(request.user), request.user.pk
    rows = []
    for report in reports:
        tournament = report.tournament
        own = report.club_id in clubs or (
            tournament is not None and (tournament.founder_id == me or tournament.club_id in clubs)
        )
        kind = "club" if tournament is None else "tournament"
        address = resolve_url(PAGES[kind].page, report.club_id or report.tournament_id)
        rows.append(report_row(report, WORDS_OUTCOMES, own=own, text=report.name, address=address))
    return rows


CLUBS: Final = ReportList(
    title=gettext_lazy("Clubs"),
    lead=gettext_lazy(
        "Reports of names and descriptions. Messages of a club's chat are among the reports."
    ),
    found=lambda _reader: WordsReport.objects.exclude(club=None).select_related("reporter"),
    rows=words_rows,
)
TITLES: Final = ReportList(
    title=gettext_lazy("Tournament names"),
    lead=gettext_lazy("Reports of names that people gave to tournaments."),
    found=lambda _reader: WordsReport.objects.exclude(tournament=None).select_related(
        "reporter", "tournament"
    ),
    rows=words_rows,
)
