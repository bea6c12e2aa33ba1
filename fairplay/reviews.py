"""Opinions, statements, the appeal and its hearing: the steps that people take in a case.

Reviewers need the right to decide cases and a fresh second factor. They are independent of each
other and of everybody in the case: who got a role or an address through the other within 24 hours,
or logs in like them, does not count as a second person. That holds for both when the second opinion
decides; the first one counts for seven days. One that does not count any more is replaced.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from accounts.login_marks import links_of
from accounts.models import User
from fairplay import settlement
from fairplay.cases import accused_of, case_lock, case_move
from fairplay.errors import CaseOver, NoReviewer, NotAParty, TextMissing
from fairplay.models import Case, Opinion, Statement
from fairplay.procedure import (
    OPINIONS,
    OVER,
    CaseState,
    CaseVerdict,
    Sanction,
    combined,
    decided_state,
    heard,
    heard_state,
)
from kit.plain_text import text_fault

PERMISSION = "fairplay.decide_case"
APPEAL_NUMBER = OPINIONS + 1
STATEMENTS_MOST = 5


@transaction.atomic
def opinion_give(
    *,
    case_id: int,
    actor: User,
    verdict: CaseVerdict,
    for_them: str,
    reasons: str,
    verified_at: datetime | None,
) -> Opinion:
    """Give an opinion; the second one decides the case, and the milder verdict counts.

    It replaces a first one that does not count any more. `for_them` is what speaks for the player,
    `reasons` what both sides will read. Raises `NoReviewer`, `CaseOver`, `TextMissing`, and of
    `ledger.errors` `SecondFactorStale` and `NotAllowed`.
    """
    case = _locked_for(case_id, actor, verified_at)
    if case.state != CaseState.OPEN:
        raise CaseOver(f"{case.reference} is {case.state}")
    given = []
    for each in case.opinions.filter(number__gt=0).order_by("number"):
        if _still_counts(case, each, actor):
            given.append(each)
        else:
            _set_aside(case, each, actor)
    opinion = _store(case, len(given) + 1, actor, verdict, for_them, reasons)
    if len(given) + 1 == OPINIONS:
        decided = combined([verdict_of(each) for each in (*given, opinion)])
        case_move(case, decided_state(decided), sanction=decided.sanction, refund=decided.refund)
    return opinion


@transaction.atomic
def appeal_hear(
    *,
    case_id: int,
    actor: User,
    verdict: CaseVerdict,
    for_them: str,
    reasons: str,
    verified_at: datetime | None,
) -> Opinion:
    """Hear an appeal as a third person: keep the decision or make it milder; it is final then.

    Raises as `opinion_give`.
    """
    case = _locked_for(case_id, actor, verified_at)
    if case.state != CaseState.APPEALED:
        raise CaseOver(f"{case.reference} is {case.state}")
    opinion = _store(case, APPEAL_NUMBER, actor, verdict, for_them, reasons)
    final = heard(CaseVerdict(Sanction(case.sanction), case.refund), verdict)
    case_move(case, heard_state(final), sanction=final.sanction, refund=final.refund)
    return opinion


@transaction.atomic
def statement_make(*, case_id: int, user: User, text: str) -> Statement:
    """Add a statement of somebody under suspicion, while the case goes on.

    Raises `NotAParty`, `CaseOver` (also after `STATEMENTS_MOST`), `TextMissing`.
    """
    case = _own_case(case_id, user)
    if case.state in OVER or case.statements.filter(user=user).count() >= STATEMENTS_MOST:
        raise CaseOver(f"no more statements in {case.reference}")
    return Statement.objects.create(case=case, user=user, text=_text(text, 4000))


@transaction.atomic
def appeal_make(*, case_id: int, user: User, text: str) -> Statement:
    """Appeal against the decision, once and within its time; a third person hears it.

    Raises `NotAParty`, `CaseOver`, `TextMissing`.
    """
    case = _own_case(case_id, user)
    if case.state != CaseState.DECIDED:
        raise CaseOver(f"{case.reference} is {case.state}")
    appeal = Statement.objects.create(case=case, user=user, text=_text(text, 4000), is_appeal=True)
    case_move(case, CaseState.APPEALED, sanction=Sanction(case.sanction), refund=case.refund)
    return appeal


def verdict_of(opinion: Opinion) -> CaseVerdict:
    """The verdict that an opinion stands for."""
    return CaseVerdict(Sanction(opinion.sanction), opinion.refund)


def may_review(case: Case, person: User) -> bool:
    """Whether this person can give the opinion that the case waits for."""
    waits = case.state in (CaseState.OPEN, CaseState.APPEALED)
    return (
        waits
        and person.has_perm(PERMISSION)
        and person.pk != case.opened_by_id
        and not case.parties.filter(user=person).exists()
        and not case.opinions.filter(reviewer=person).exists()
    )


def opinions_shown(case: Case, reader: User) -> Iterable[Opinion]:
    """The opinions that this person may read: their own, and all once the case is decided."""
    found = case.opinions.select_related("reviewer").order_by("number")
    return found.filter(reviewer=reader) if case.state == CaseState.OPEN else found


def _locked_for(case_id: int, actor: User, verified_at: datetime | None) -> Case:
    if not actor.has_perm(PERMISSION):
        raise NoReviewer(f"{actor.get_username()} has no right to decide cases")
    settlement.second_factor_check(verified_at)
    case = case_lock(case_id)
    if actor.pk == case.opened_by_id or case.opinions.filter(reviewer=actor).exists():
        raise NoReviewer(f"{actor.get_username()} is part of {case.reference} already")
    before = case.opinions.filter(number__gt=0)
    settlement.people_are_two(before.values_list("reviewer_id", flat=True), actor)
    reviewer_check(case, actor)
    return case


def _still_counts(case: Case, first: Opinion, second: User) -> bool:
    """Whether the first reviewer is held to what the second one is held to, and passes."""
    if not settlement.people_decide(
        first.reviewer_id, second, right=PERMISSION, since=first.made_at, of=case.reference
    ):
        return False
    try:
        reviewer_check(case, first.reviewer)
    except (NoReviewer, settlement.NotAllowed):
        return False
    return True


def _set_aside(case: Case, gone: Opinion, actor: User) -> None:
    """Let an opinion count no more; the actor's takes its place."""
    case.opinions.filter(pk=gone.pk).update(number=0)
    settlement.journal_record(
        actor=actor,
        verb="case.set_aside",
        subject=case.reference,
        before={"number": gone.number},
        after={"opinion": gone.pk, "reviewer": gone.reviewer_id},
        reason=f"it does not count any more in {case.reference}",
    )


def reviewer_check(case: Case, reviewer: User) -> None:
    """Raise `NoReviewer` or `ledger.errors.SecondPersonFresh` for a party of the case, and for
    somebody who is not independent of one: by a role, an address, a browser or a network."""
    parties = list(case.parties.values_list("user_id", flat=True))
    if reviewer.pk in parties:
        raise NoReviewer(f"{reviewer.get_username()} is a party of {case.reference}")
    settlement.people_are_two(parties, reviewer)
    if any(not link.confirmed for link in links_of(reviewer.pk, parties)):
        raise NoReviewer(
            f"{reviewer.get_username()} has logged in like a party of {case.reference}"
        )


def _store(
    case: Case, number: int, actor: User, verdict: CaseVerdict, for_them: str, reasons: str
) -> Opinion:
    opinion = Opinion.objects.create(
        case=case,
        number=number,
        reviewer=actor,
        sanction=verdict.sanction,
        refund=verdict.refund and not verdict.clears,
        for_them=_text(for_them, 2000),
        reasons=_text(reasons, 2000),
    )
    settlement.journal_record(  # without the verdict: others who still have to judge can read it
        actor=actor,
        verb="case.hear" if number == APPEAL_NUMBER else "case.opinion",
        subject=case.reference,
        before={"state": case.state},
        after={"opinion": opinion.pk},
        reason=f"opinion {number} in {case.reference}",
    )
    return opinion


def _own_case(case_id: int, user: User) -> Case:
    case = case_lock(case_id)
    if user.pk not in accused_of(case):
        raise NotAParty(f"{user.get_username()} is not under suspicion in {case.reference}")
    return case


def _text(text: str, most: int) -> str:
    cleaned = text.strip()
    if not cleaned or len(cleaned) > most or text_fault(cleaned):
        raise TextMissing(f"a text of 1 to {most} readable characters is needed")
    return cleaned
