"""Cases of fair play: the queue, one case, opinions, hearings and refunds."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from backgammon.pictures.marks import number
from fairplay.cases import holds_end, holds_of_case
from fairplay.complaints import case_open_by_hand
from fairplay.desk import queue
from fairplay.facts import LOOKS_BACK, moved_cents
from fairplay.holding import KIND as PROLONG
from fairplay.holding import hold_prolong, prolonged_because
from fairplay.models import Case, CaseKind, PartyRole
from fairplay.pages.case import case_context
from fairplay.pages.words import SANCTIONS, STATES
from fairplay.procedure import CaseState, CaseVerdict, Sanction
from fairplay.refunds import case_refund
from fairplay.reviews import PERMISSION, appeal_hear, may_review, opinion_give, opinions_shown
from fairplay.settlement import credits_text
from kit.charts import ChartFrame, ChartLevel, path
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import decide, decide_with
from ledger.desk.forms import PersonField, ReasonForm, reason_field
from ledger.selectors_desk import journal, proposals_waiting

FRAME: Final = ChartFrame(width=800, height=240, left=90, right=770, top=20, bottom=200)


@dataclass(frozen=True, slots=True)
class Dot:
    """A match on the drawing."""

    x: str
    y: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PlayChart:
    """The drawing, with the same in words."""

    line: str
    dots: tuple[Dot, ...]
    levels: tuple[ChartLevel, ...]
    words: str
    frame: ChartFrame = FRAME


def chart(moved_cents: Sequence[int]) -> PlayChart | None:
    """The sum that one player had won from the other after each match; None below two matches."""
    if len(moved_cents) < 2:
        return None
    sums = list(accumulate(moved_cents, initial=0))
    low, high = min(sums), max(sums)
    spots = [
        (FRAME.column(at, len(sums)), FRAME.row(cents, low, high)) for at, cents in enumerate(sums)
    ]
    return PlayChart(
        line=path(spots),
        dots=tuple(
            Dot(number(x), number(y), _("Match %(number)s") % {"number": at}, credits_text(cents))
            for at, ((x, y), cents) in enumerate(zip(spots, sums, strict=True))
            if at
        ),
        levels=FRAME.levels(sorted({low, 0, high}), low, high, lambda at: credits_text(int(at))),
        words=_("After %(count)s matches %(sum)s went one way.")
        % {"count": len(moved_cents), "sum": credits_text(sums[-1])},
    )


ROWS = 25


class OpinionForm(forms.Form):
    """An opinion: what follows, what speaks for the player, and the reasons."""

    sanction = forms.ChoiceField(
        label=gettext_lazy("What follows"),
        choices=[(key, words) for key, words in SANCTIONS.items()],
        widget=forms.RadioSelect,
    )
    refund = forms.BooleanField(
        label=gettext_lazy("Take the matches of this case back"), required=False
    )
    for_them = forms.CharField(
        label=gettext_lazy("What speaks for the player"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    reasons = forms.CharField(
        label=gettext_lazy("Reasons that the player will read"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


class OpenForm(forms.Form):
    """A case opened by hand: one player or two, its kind, and why."""

    player = PersonField()
    other = PersonField(gettext_lazy("Second player (optional)"), required=False)
    kind = forms.ChoiceField(label=gettext_lazy("What it is about"), choices=CaseKind.choices)
    reason = reason_field()

    @property
    def people(self) -> list[User]:
        """The players that were named."""
        named = (self.cleaned_data["player"], self.cleaned_data["other"])
        return [person for person in named if person is not None]


@desk_page("fairplay.view_case")
@require_safe
def cases(request: SignedInRequest) -> HttpResponse:
    """List cases: those that wait for an opinion, the most urgent first, or others."""
    state = request.GET.get("state", "waiting")
    page = Paginator(queue.cases_listed(state, request.user), ROWS).get_page(
        request.GET.get("page")
    )
    rows = [{"case": case, "state": STATES[case.state]} for case in page]
    context = {"page": page, "rows": rows, "state": state, "form": OpenForm()}
    context["pair_days"] = LOOKS_BACK.days
    return render(request, "desk/cases.html", context)


@desk_page("fairplay.decide_case")
@require_POST
def open_by_hand(request: SignedInRequest) -> HttpResponse:
    """Open a case about one player or two."""
    form = OpenForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: case_open_by_hand(
            people=form.people,
            kind=CaseKind(form.cleaned_data["kind"]),
            words=form.cleaned_data["reason"],
            actor=request.user,
        ),
        done=_("The case is open. Other people judge it."),
        back=resolve_url("desk:cases"),
    )


@desk_page("fairplay.view_case")
@require_safe
def case(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Show a case with its evidence, what was said, and what can be done; not to those in it."""
    found = get_object_or_404(queue.cases_of_others(request.user), pk=case_id)
    context = case_context(found, private=True)
    context |= {
        "parties": found.parties.select_related("user").order_by("role", "pk"),
        "opinions": [
            (each, SANCTIONS[each.sanction]) for each in opinions_shown(found, request.user)
        ],
        "statements": found.statements.select_related("user").order_by("made_at"),
        "complaints": found.complaints.select_related("reporter").order_by("made_at"),
        "for_them": queue.for_them(found),
        "worst": queue.worst_decisions(found),
        "chart": _chart(found),
        "may_review": may_review(found, request.user),
        "hears": found.state == CaseState.APPEALED,
        "given": found.opinions.filter(number__gt=0).count(),
        "form": OpinionForm(),
        "refunds_open": queue.refunds_open(found),
        "back_cents": queue.lost_back_cents(found),
        "shortages": queue.shortages(found) if queue.refunds_open(found) else [],
        "held_cents": sum(hold.amount_cents for hold in holds_of_case(found)),
        "held_until": holds_end(found),
        "prolonged": prolonged_because(found.reference),
        "prolong": proposals_waiting({PERMISSION}, subject=found.reference).filter(kind=PROLONG),
        "reason_form": ReasonForm(auto_id="prolong_%s"),
        "journal": journal(subject=found.reference),
    }
    return render(request, "desk/case.html", context)


def _chart(found: Case) -> object:
    """How credits went one way, for a case of two people."""
    accused = found.parties.filter(role=PartyRole.ACCUSED).values_list("user_id", flat=True)
    if found.kind != CaseKind.DUMP or len(accused) != 2:
        return None
    rows = found.matches.select_related("match").order_by("match__ended_at", "pk")
    winner = next((fact.get("of") for fact in found.evidence if fact["key"] == "net"), None)
    return chart([moved_cents(row.match, winner) for row in rows if winner in row.match.players])


@desk_page("fairplay.decide_case")
@require_POST
def opinion(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Give an opinion, or hear an appeal."""
    found = get_object_or_404(queue.cases_of_others(request.user), pk=case_id)
    form = OpinionForm(request.POST)
    give = appeal_hear if found.state == CaseState.APPEALED else opinion_give
    return decide_with(
        request,
        form,
        lambda: give(
            case_id=case_id,
            actor=request.user,
            verdict=CaseVerdict(
                Sanction(form.cleaned_data["sanction"]), form.cleaned_data["refund"]
            ),
            for_them=form.cleaned_data["for_them"],
            reasons=form.cleaned_data["reasons"],
            verified_at=second_factor_at(request),
        ),
        done=_("Your opinion has been stored."),
        back=resolve_url("desk:case", case_id),
    )


@desk_page("fairplay.decide_case")
@require_POST
def prolong(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Propose to hold the winnings of a case longer; a second person confirms it."""
    get_object_or_404(queue.cases_of_others(request.user), pk=case_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: hold_prolong(
            case_id=case_id,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            verified_at=second_factor_at(request),
        ),
        done=_("Proposed. A second person confirms or refuses it."),
        back=resolve_url("desk:case", case_id),
    )


@desk_page("fairplay.refund_case")
@require_POST
def refund(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Take the matches of a confirmed case back."""
    get_object_or_404(queue.cases_of_others(request.user), pk=case_id)
    return decide(
        request,
        lambda: case_refund(
            case_id=case_id, actor=request.user, verified_at=second_factor_at(request)
        ),
        done=lambda count: (
            ngettext("%(count)s match was taken back.", "%(count)s matches were taken back.", count)
            % {"count": count}
        ),
        back=resolve_url("desk:case", case_id),
    )


@desk_page("fairplay.view_case")
@require_safe
def reviewers(request: SignedInRequest) -> HttpResponse:
    """How the reviewers judge: opinions, time, agreement, and what appeals changed."""
    return render(request, "desk/reviewers.html", {"rows": queue.reviewers()})
