"""The cases of a person: their list, each as those in it see it, and reporting a match."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import proof_check
from accounts.models import User
from fairplay import settlement
from fairplay.cases import hold_references
from fairplay.complaints import REASONS, WORDS_MOST, complaint_make, opponent_of
from fairplay.errors import FairPlayError, ReportRefused
from fairplay.holding import prolonged_because
from fairplay.leavers import record_now
from fairplay.models import Case, CaseKind, Complaint, PartyRole, Pause
from fairplay.pages.words import SANCTIONS, STATES, lines, summary
from fairplay.procedure import OVER, CaseState
from fairplay.reviews import appeal_make, statement_make
from games.models import Match
from games.services.bars import bars_of
from kit.plain_text import text_fault
from kit.requests import SignedInRequest
from kit.sentences import sentence

STATEMENT_LENGTH = 4000


def _readable(text: str) -> None:
    if text_fault(text):
        raise forms.ValidationError(
            _("It contains invisible characters. Type it instead of pasting it.")
        )


class StatementForm(forms.Form):
    """A statement or an appeal."""

    text = forms.CharField(
        label=gettext_lazy("Your words"),
        max_length=STATEMENT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        validators=[_readable],
    )


class MatchReportForm(forms.Form):
    """A report about the opponent of a match."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What happened?"),
        choices=[(kind.value, kind.label) for kind in REASONS],
        widget=forms.RadioSelect,
        initial=CaseKind.CONDUCT,
    )
    words = forms.CharField(
        label=gettext_lazy("In your words (optional)"),
        max_length=WORDS_MOST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        validators=[_readable],
    )


REPORTS_SHOWN: Final = 50


@never_cache
@login_required
@require_safe
def case(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Show what was found, what is held, who decided what and why, and what is possible now."""
    found = _own(request, case_id)
    accused = role_in(found, request.user) == PartyRole.ACCUSED
    context = {**case_context(found, private=False), "is_accused": accused}
    if not accused:  # what was found and said about others is not theirs to read
        own = [each for each in context["matches"] if request.user.pk in each.players]
        context |= {"lines": [], "opinions": [], "matches": own}
    context["holds"] = [
        hold
        for hold in settlement.holds_of(request.user.pk)
        if hold.reference in hold_references(found)
    ]
    context["prolonged"] = prolonged_because(found.reference) if accused else []
    context["form"] = StatementForm()
    context["statements"] = found.statements.filter(user=request.user).order_by("made_at")
    context["may_state"] = accused and found.state not in OVER
    context["may_appeal"] = accused and found.state == CaseState.DECIDED
    return render(request, "fairplay/case.html", context)


def case_context(found: Case, *, private: bool) -> dict[str, Any]:
    """The parts of a case that both sides read; private facts only for reviewers."""
    named = set(found.parties.values_list("user_id", flat=True))
    if private:
        named |= {fact["of"] for fact in found.evidence if fact.get("of")}
    names = {person.pk: person.get_username() for person in User.objects.filter(pk__in=named)}
    shown = found.state != CaseState.OPEN
    return {
        "case": found,
        "state": STATES[found.state],
        "sanction": SANCTIONS[found.sanction],
        "summary": summary(found.kind),
        "lines": lines(found.evidence, names, private=private),
        "opinions": list(found.opinions.filter(number__gt=0).order_by("number")) if shown else [],
        "sanctions": SANCTIONS,
        "matches": [
            row.match
            for row in found.matches.select_related("match").order_by("match__ended_at", "pk")
        ],
    }


@login_required
@require_POST
def statement(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Add a statement."""
    return _said(request, case_id, statement_make, _("Your statement has been added."))


@login_required
@require_POST
def appeal(request: SignedInRequest, case_id: int) -> HttpResponse:
    """Appeal against the decision, once; so it asks for a fresh proof."""
    _own(request, case_id)
    proof_check(request)
    return _said(request, case_id, appeal_make, _("Your appeal has been made."))


def _said(
    request: SignedInRequest, case_id: int, say: Callable[..., object], done: str
) -> HttpResponse:
    _own(request, case_id)
    form = StatementForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(each) for each in form.errors["text"]))
        return redirect("fairplay_case", case_id)
    try:
        say(case_id=case_id, user=request.user, text=form.cleaned_data["text"])
    except FairPlayError as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, done)
    return redirect("fairplay_case", case_id)


def _own(request: SignedInRequest, case_id: int) -> Case:
    """The case, for those who may see it; for everybody else there is none."""
    return get_object_or_404(cases_of(request.user), pk=case_id)


def cases_of(person: User) -> QuerySet[Case]:
    """The cases that this person may see, newest first.

    Those affected see a case once it is confirmed: before, it is a suspicion about somebody else.
    """
    accused = Q(parties__role=PartyRole.ACCUSED) | Q(state=CaseState.CONFIRMED)
    found = Case.objects.filter(accused, parties__user=person)
    return found.distinct().order_by("-opened_at", "-pk")


def role_in(case: Case, person: User) -> PartyRole | None:
    """The role of this person in a case; None for everybody who is not in it."""
    party = case.parties.filter(user=person).first()
    return None if party is None else PartyRole(party.role)


@never_cache
@login_required
@require_safe
def mine(request: SignedInRequest) -> HttpResponse:
    """Cases, held credits, bars, the record at tables, and what became of reports."""
    person = request.user
    pauses = Pause.objects.filter(user=person, ends_at__gt=timezone.now())
    made = Complaint.objects.filter(reporter=person).select_related("accused", "match")
    context = {
        "cases": [
            {
                "case": case,
                "state": STATES[case.state],
                "is_accused": role_in(case, person) == PartyRole.ACCUSED,
            }
            for case in cases_of(person)
        ],
        "holds": [
            (hold, CaseKind(hold.reason_class).label, prolonged_because(hold.reference))
            for hold in settlement.holds_of(person.pk)
        ],
        "bars": bars_of(person.pk),
        "record": record_now(person.pk),
        "pause": pauses.order_by("-ends_at").first(),
        "complaints": made.order_by("-made_at", "-pk")[:REPORTS_SHOWN],
    }
    return render(request, "fairplay/mine.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: SignedInRequest, reported_id: UUID) -> HttpResponse:
    """Ask what happened in this match, and take the report."""
    match = get_object_or_404(Match.objects.select_related("player_0", "player_1"), pk=reported_id)
    try:
        opponent = opponent_of(match, request.user)
    except ReportRefused as error:
        messages.error(request, sentence(error))
        return redirect("match", reported_id)
    form = MatchReportForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        context = {"match": match, "opponent": opponent, "form": form}
        return render(request, "fairplay/report.html", context)
    try:
        complaint_make(match=match, reporter=request.user, **form.cleaned_data)
    except ReportRefused as error:
        messages.error(request, sentence(error))
        return redirect("match", reported_id)
    messages.success(request, _("Thank you. Here you can see what becomes of your report."))
    return redirect("fairplay_mine")
