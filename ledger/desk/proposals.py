"""Decisions that one person proposed and a second one confirms or refuses."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide, decide_with
from ledger.desk.forms import ReasonForm
from ledger.desk.registry import Lines, ProposalWords, words_for
from ledger.models import Proposal
from ledger.selectors_desk import proposals_past, proposals_waiting
from ledger.services.proposals import (
    proposal_concerns,
    proposal_confirm,
    proposal_refuse,
    proposal_withdraw,
)

ROWS = 25
STAFF = "accounts.view_user"
"""The rights to the page; which proposals a person sees and decides depends on each proposal."""


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A proposal in words, and what its reader may do about it."""

    proposal: Proposal
    title: str | Promise
    lines: Lines
    own: bool
    may_decide: bool
    refuse_form: ReasonForm


@desk_page(STAFF)
@require_safe
def proposals(request: SignedInRequest) -> HttpResponse:
    """Show what waits for a second person, and what was."""
    rights = request.user.get_all_permissions()
    page = Paginator(proposals_past(rights), ROWS).get_page(request.GET.get("page"))
    context = {
        "waiting": proposal_rows(proposals_waiting(rights), request.user),
        "page": page,
        "past": proposal_rows(page, request.user),
        "confirmed": second_factor_is_fresh(request),
    }
    return render(request, "desk/proposals.html", context)


@desk_page(STAFF)
@require_POST
def confirm(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Second person: carry it out."""
    _check_known(proposal_id)
    return decide(
        request,
        lambda: proposal_confirm(
            proposal_id=proposal_id, actor=request.user, verified_at=second_factor_at(request)
        ),
        done=_("Confirmed and carried out."),
        back=resolve_url("desk:proposals"),
    )


@desk_page(STAFF)
@require_POST
def refuse(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Second person: no."""
    _check_known(proposal_id)
    form = ReasonForm(request.POST)
    return decide_with(
        request,
        form,
        lambda: proposal_refuse(
            proposal_id=proposal_id,
            actor=request.user,
            verified_at=second_factor_at(request),
            reason=form.cleaned_data["reason"],
        ),
        done=_("Refused. Nothing was carried out."),
        back=resolve_url("desk:proposals"),
    )


@desk_page(STAFF)
@require_POST
def withdraw(request: SignedInRequest, proposal_id: int) -> HttpResponse:
    """Withdraw a proposal as its proposer."""
    _check_known(proposal_id)
    return decide(
        request,
        lambda: proposal_withdraw(proposal_id=proposal_id, actor=request.user),
        done=_("Withdrawn. Nothing was carried out."),
        back=resolve_url("desk:proposals"),
    )


def proposal_rows(found: Iterable[Proposal], user: User) -> list[ProposalRow]:
    """Proposals as this reader sees them."""
    return [_row(proposal, user) for proposal in found]


def _row(proposal: Proposal, user: User) -> ProposalRow:
    words = _words(proposal)
    own = proposal.proposed_by_id == user.pk
    return ProposalRow(
        proposal=proposal,
        title=words.title if words else proposal.kind,
        lines=words.lines(proposal) if words else _as_it_is(proposal),
        own=own,
        may_decide=words is not None and not own and not proposal_concerns(proposal, user),
        refuse_form=ReasonForm(auto_id=f"refuse_{proposal.pk}_%s"),
    )


def _check_known(proposal_id: int) -> None:
    """Answer that there is no such page, where the desk has no words for what would be decided."""
    if _words(get_object_or_404(Proposal, pk=proposal_id)) is None:
        raise Http404


def _words(proposal: Proposal) -> ProposalWords | None:
    return words_for(lambda part: part.proposals, proposal.kind)


def _as_it_is(proposal: Proposal) -> Lines:
    return [(name, str(value)) for name, value in proposal.content.items()]
