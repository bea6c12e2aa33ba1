"""Deciding at the desk, at tables of every kind: first what would happen is shown, then exactly
that is decided."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.kinds import kind_of, void_case
from games.services.administration import PERMISSION, Decidable, Effect, decide, may_decide
from games.services.match_decisions import MatchCase
from games.table.errors import TableError
from games.table.state import TableState
from games.table.verdict import Verdict, possible_verdicts
from kit.requests import SignedInRequest
from kit.sentences import sentence
from ledger.desk.access import desk_page, second_factor_at
from ledger.desk.decisions import alone_context, decide_with, done_or_waits
from ledger.desk.forms import reason_field
from ledger.desk.registry import Lines, words_for
from ledger.models import Proposal
from ledger.templatetags.credits import credits_text

VOID = "void"
TIE: Final = "-"
_VALUE: Final = re.compile(r"([01-])\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})\.(\d{1,4})", re.ASCII)
_LEVELS: Final[dict[int, str | Promise]] = {
    1: gettext_lazy("single game"),
    2: gettext_lazy("gammon"),
    3: gettext_lazy("backgammon"),
}

Groups = list[tuple[str, list[tuple[str, str]]]]


class ShownDecisionForm(forms.Form):
    """A decision that was shown before: what, exactly as shown, and why."""

    outcome = forms.CharField(max_length=40, widget=forms.HiddenInput)
    shown = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = reason_field()


@dataclass(frozen=True, slots=True)
class PersonFigures:
    """The effect of a decision for one person: credits now and then, and the rating."""

    person: User
    paid_before_cents: int | None
    paid_cents: int
    elo_before: Decimal
    elo_after: Decimal

    @property
    def elo_change(self) -> Decimal:
        """How the rating changes."""
        return self.elo_after - self.elo_before


@desk_page(PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def decision(request: SignedInRequest, key: str, row_key: UUID) -> HttpResponse:
    """Show what a decision would pay, keep and rate, or take it as it was shown.

    `outcome` is a result, or ``void``.
    """
    kind, reference = kind_of(key), f"{key}:{row_key}"
    assert kind is not None, "its address names it"
    page = resolve_url(kind.subject_page, row_key)
    outcome = (request.POST if request.method == "POST" else request.GET).get("outcome", "")
    verdict = verdict_read(outcome)
    opened: Callable[[bool], Decidable] = partial(void_case, reference)
    if verdict is not None and key == "match":
        opened = partial(MatchCase, row_key, verdict=verdict)
    try:
        case = opened(False)
    except ObjectDoesNotExist as error:
        raise Http404 from error
    if verdict is None and outcome != VOID:
        messages.error(request, _("Choose a result first."))
        return redirect(page)
    if request.method == "POST":
        again = f"{request.path}?{urlencode({'outcome': outcome})}"
        return _decide(request, partial(opened, True), verdict, back=page, again=again)
    try:
        effect = case.effect()
    except TableError as error:
        messages.error(request, sentence(error, staff=True))
        return redirect(page)
    context = _shown(effect, case.stake_cents) | {
        "title": _title(effect.verb, case),
        "back": page,
        "outcome": outcome,
        "form": ShownDecisionForm(
            initial={"outcome": outcome, "shown": effect.shown}, auto_id="decide_%s"
        ),
        "may_decide": may_decide(case, request.user),
        **alone_context(request, case.stake_cents),
    }
    return render(request, "desk/decision.html", context)


def _decide(
    request: SignedInRequest,
    opened: Callable[[], Decidable],
    verdict: Verdict | None,
    *,
    back: str,
    again: str,
) -> HttpResponse:
    form = ShownDecisionForm(request.POST)
    done = _("Voided: every stake is back, and the result counts for nothing.")
    if verdict is not None:
        done = _("Adjudicated, paid and rated.")
    return decide_with(
        request,
        form,
        lambda: decide(
            opened,
            actor=request.user,
            reason=form.cleaned_data["reason"],
            shown=form.cleaned_data["shown"],
            verified_at=second_factor_at(request),
        ),
        done=lambda proposal_id: done_or_waits(proposal_id, done),
        back=back,
        again=again,
    )


def _title(verb: str, case: Decidable) -> str:
    """The result in words, or that it is voided, as its proposals are called."""
    if isinstance(case, MatchCase) and case.verdict is not None:
        return verdict_words(case.verdict, (case.match.player_0, case.match.player_1))
    words = words_for(lambda part: part.proposals, verb)
    return str(words.title) if words else verb


def _shown(effect: Effect, stake_cents: int) -> dict[str, Any]:
    """The context of the figures of an effect."""
    people = User.objects.in_bulk(effect.paid_cents)
    paid_before = effect.before.get("paid_cents") or [None] * len(people)
    rows = [
        PersonFigures(people[user_id], paid, cents, *map(Decimal, effect.elos.get(user_id, (0, 0))))
        for (user_id, cents), paid in zip(effect.paid_cents.items(), paid_before, strict=True)
    ]
    return {
        "seats": rows,
        "stake_cents": stake_cents,
        "rake_cents": effect.rake_cents,
        "rake_before_cents": effect.before.get("rake_cents"),
        "was_paid": bool(effect.before.get("paid_cents")),
        "has_ratings": bool(effect.elos),
        "rated": any(row.elo_change for row in rows),
    }


def paid_lines(proposal: Proposal) -> Lines:
    """Return lines that say what everybody gets by a proposal to void something."""
    paid = void_case(proposal.subject).players
    people = User.objects.in_bulk(paid)
    return [
        (_("%(name)s gets") % {"name": people[player].get_username()}, credits_text(cents))
        for player, cents in zip(paid, proposal.content["paid_cents"], strict=True)
    ]


def verdict_value(verdict: Verdict) -> str:
    """A verdict as a form sends it: winner, score, level and cube."""
    winner = TIE if verdict.winner is None else str(verdict.winner)
    return ".".join(map(str, (winner, *verdict.score, verdict.level, verdict.cube)))


def verdict_read(value: str) -> Verdict | None:
    """The verdict that a form sent; None where it is no such value."""
    found = _VALUE.fullmatch(value)
    if found is None:
        return None
    winner, one, two, level, cube = found.groups()
    return Verdict(
        winner=None if winner == TIE else int(winner),
        score=(int(one), int(two)),
        level=int(level),
        cube=int(cube),
    )


def verdict_words(verdict: Verdict, players: Sequence[Any]) -> str:
    """A verdict in words, with its winner."""
    if verdict.winner is None:
        return f"{_('tie')}, {_result(verdict)}"
    name = players[verdict.winner].get_username()
    return _("%(name)s wins: %(result)s") % {"name": name, "result": _result(verdict)}


def verdict_groups(state: TableState, players: Sequence[Any]) -> Groups:
    """Every result the match can still have, by its winner, for a choice."""
    groups: dict[int | None, list[tuple[str, str]]] = {0: [], 1: [], None: []}
    for verdict in possible_verdicts(state):
        groups[verdict.winner].append((verdict_value(verdict), _result(verdict)))
    names = {
        seat: _("%(name)s wins") % {"name": players[seat].get_username()} for seat in (0, 1)
    } | {None: _("tie")}
    return [(names[winner], rows) for winner, rows in groups.items() if rows]


def _result(verdict: Verdict) -> str:
    if not verdict.level:
        return f"{verdict.score[0]} : {verdict.score[1]}"
    level = _LEVELS.get(verdict.level) or _("level %(level)s") % {"level": verdict.level}
    points = ngettext("%(points)s point", "%(points)s points", verdict.points)
    return _("%(level)s, cube at %(cube)s: %(points)s") % {
        "level": level,
        "cube": verdict.cube,
        "points": points % {"points": verdict.points},
    }
