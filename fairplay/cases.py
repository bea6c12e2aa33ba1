"""Cases: how they open, grow, move on by time, and what follows for holds and bars.

A case and everything that belongs to it is written under the lock of its row. What a machine does
on its own is done here: hold winnings and keep people apart for 72 hours. It takes no credits.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from fairplay import settlement
from fairplay.mails import case_mail
from fairplay.models import Case, CaseKind, CaseMatch, Complaint, ComplaintOutcome, Party, PartyRole
from fairplay.procedure import (
    HOLD,
    LASTS,
    OVER,
    QUEUE,
    CaseState,
    Sanction,
    deadline_of,
    timed_out,
)
from games.models import Match
from games.services.bars import bar_lift, bar_place
from kit.sweeps import go_round, stuck_items

Fact = Mapping[str, Any]

SWEEP: Final = "cases"


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why a case opens: who is accused, who may have lost by it, and what speaks for it.

    `evidence` are facts with a key and numbers. `winnings_cents` is held, by the reference of the
    result and the player: what those under suspicion gained from each other, and nothing else.
    `pair` is kept apart, and `pausing` plays for no stakes, both for 72 hours.
    """

    kind: CaseKind
    accused: frozenset[int]
    evidence: Sequence[Fact]
    matches: Sequence[Match] = ()
    affected: frozenset[int] = frozenset()
    priority: int = 1
    winnings_cents: Mapping[tuple[str, int], int] = field(default_factory=dict)
    pair: tuple[int, int] | None = None
    pausing: int | None = None


@transaction.atomic
def case_open(alarm: Alarm, *, opened_by: User | None = None) -> Case:
    """Open a case about these people, or let the open one of this kind about them grow.

    The evidence of a case that is open already stays as it was; new matches and holds join it.
    """
    people_lock(alarm.accused)
    case = _open_case(alarm) or _new_case(alarm, opened_by)
    case_grow(case, alarm)
    return case


def case_grow(case: Case, alarm: Alarm) -> None:
    """Add the matches, people, holds and bars of an alarm to a locked case."""
    for match in alarm.matches:
        CaseMatch.objects.get_or_create(case=case, match=match)
    for user_id in alarm.affected - alarm.accused:
        Party.objects.get_or_create(
            case=case, user_id=user_id, defaults={"role": PartyRole.AFFECTED}
        )
    _keep_apart(case, alarm)
    _hold(case, alarm)


def people_lock(user_ids: Iterable[int]) -> None:
    """Two alarms about the same people come one after the other."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk"))


def _open_case(alarm: Alarm) -> Case | None:
    """The case of this kind about exactly these people that nobody has decided."""
    named = Party.objects.filter(user_id__in=alarm.accused, role=PartyRole.ACCUSED)
    found = Case.objects.select_for_update(no_key=True).filter(
        kind=alarm.kind, state=CaseState.OPEN, pk__in=named.values("case_id")
    )
    return next((case for case in found.order_by("pk") if accused_of(case) == alarm.accused), None)


def _new_case(alarm: Alarm, opened_by: User | None) -> Case:
    now = timezone.now()
    case = Case.objects.create(
        kind=alarm.kind,
        priority=alarm.priority,
        opened_at=now,
        opened_by=opened_by,
        evidence=[dict(fact) for fact in alarm.evidence],
        held_until=now + HOLD,
        waits_until=now + QUEUE,
    )
    Party.objects.bulk_create(
        Party(case=case, user_id=user_id, role=PartyRole.ACCUSED)
        for user_id in sorted(alarm.accused)
    )
    if opened_by is not None:
        settlement.journal_record(
            actor=opened_by,
            verb="case.open",
            subject=case.reference,
            before={},
            after={"kind": case.kind, "accused": sorted(alarm.accused)},
            reason=str(alarm.evidence[0].get("words", "")) if alarm.evidence else "",
        )
    case_mail(case, "opened")
    return case


def _keep_apart(case: Case, alarm: Alarm) -> None:
    until = case.held_until
    if alarm.pair is not None:
        one, two = sorted(alarm.pair)
        bar_place(
            user_id=one, other_id=two, kind="meeting", reference=f"{case.reference}:meeting",
            ends_at=until,
        )  # fmt: skip
    if alarm.pausing is not None:
        bar_place(
            user_id=alarm.pausing, kind="stakes", reference=f"{case.reference}:pause", ends_at=until
        )


def _hold(case: Case, alarm: Alarm) -> None:
    """Hold what was won, at most 72 hours; it ends by itself."""
    until = timezone.now() + HOLD
    for (reference, user_id), cents in alarm.winnings_cents.items():
        if cents > 0:
            settlement.credits_hold(
                user_id=user_id,
                reference=hold_reference(case, reference),
                cents=cents,
                reason_class=case.kind,
                until=until,
            )


def hold_reference(case: Case, reference: str) -> str:
    """The reference of what is held of a result for a case."""
    return f"{case.reference}:{reference}"


def holds_of_case(case: Case) -> list[settlement.Hold]:
    """Everything that is still held for a case."""
    held = [hold for user_id in accused_of(case) for hold in settlement.holds_of(user_id)]
    return [hold for hold in held if hold.reference.startswith(f"{case.reference}:")]


def hold_references(case: Case) -> list[str]:
    """The references of everything that is still held for a case."""
    return sorted({hold.reference for hold in holds_of_case(case)})


def holds_end(case: Case) -> datetime | None:
    """Return when the last hold of a case ends by itself; None if nothing is held any more."""
    return max((hold.ends_at for hold in holds_of_case(case)), default=None)


def accused_of(case: Case) -> frozenset[int]:
    """The people under suspicion in a case."""
    rows = case.parties.filter(role=PartyRole.ACCUSED)
    return frozenset(rows.values_list("user_id", flat=True))


def case_lock(case_id: int) -> Case:
    """The case, locked."""
    return Case.objects.select_for_update(no_key=True).get(pk=case_id)


def case_move(case: Case, state: CaseState, *, sanction: Sanction, refund: bool) -> None:
    """Bring a locked case to its next state, with what follows for holds, bars and complaints."""
    now = timezone.now()
    case.state, case.sanction, case.refund = state, sanction, refund
    case.waits_until = deadline_of(state, now)
    if state in OVER:
        case.closed_at = now
    if state is CaseState.APPEALED:
        case.appealed = True
    if state in (CaseState.DECIDED, CaseState.CLEARED) and case.decided_at is None:
        case.decided_at = now
    case.save()
    _follow(case, state, now)
    case_mail(case, state)


def _follow(case: Case, state: CaseState, now: datetime) -> None:
    """Place and end what the new state asks for."""
    if state in (CaseState.CLEARED, CaseState.LAPSED) or not case.refund:
        settlement.credits_release(hold_references(case), state)
    elif state is CaseState.CONFIRMED:
        settlement.hold_longer(hold_references(case), now + QUEUE)
    elif case.waits_until is not None:
        settlement.hold_longer(hold_references(case), case.waits_until)
    if state in (CaseState.CLEARED, CaseState.LAPSED):
        for name in ("meeting", "pause", "sanction", "final"):
            bar_lift(reference=f"{case.reference}:{name}")
    elif state in (CaseState.DECIDED, CaseState.CONFIRMED):
        _sanction(case)
    if state in OVER:
        outcome = ComplaintOutcome(state.value)
        Complaint.objects.filter(case=case, outcome="").update(outcome=outcome, decided_at=now)


def _sanction(case: Case) -> None:
    """Put the sanction of the verdict that counts by now in force, from the first decision on."""
    sanction, lasts = Sanction(case.sanction), LASTS[Sanction(case.sanction)]
    name = "final" if case.state == CaseState.CONFIRMED else "sanction"
    if name == "final":
        bar_lift(reference=f"{case.reference}:sanction")
    kind = {Sanction.NO_STAKES: "stakes", Sanction.NO_RATED: "rated", Sanction.CLOSED: "lobby"}
    if sanction not in kind:
        return
    assert case.decided_at is not None
    ends_at = None if lasts is None else case.decided_at + lasts
    for user_id in sorted(accused_of(case)):
        bar_place(
            user_id=user_id,
            kind=kind[sanction],
            reference=f"{case.reference}:{name}",
            ends_at=ends_at,
        )


def cases_move_on() -> int:
    """Move every case on whose deadline is over; return how many."""
    due = Case.objects.filter(~Q(state__in=[*OVER]), waits_until__lte=timezone.now())
    waiting = due.exclude(pk__in=stuck_items(SWEEP)).order_by("waits_until", "pk")
    return go_round(SWEEP, waiting.values_list("pk", flat=True), _case_move_on)


@transaction.atomic
def _case_move_on(case_id: int) -> bool:
    """Move a case on if its deadline is over."""
    case = case_lock(case_id)
    state = timed_out(CaseState(case.state), case.waits_until, timezone.now())
    if state is None:
        return False
    clears = state in (CaseState.CLEARED, CaseState.LAPSED)
    case_move(
        case,
        state,
        sanction=Sanction.NONE if clears else Sanction(case.sanction),
        refund=case.refund and not clears,
    )
    return True
