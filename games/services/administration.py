"""Administrators' decisions about a match: voiding or adjudicating it, always with a reason.

A decision about a match with stakes needs a fresh second factor, and above a limit a second person
(docs/desk.md). It is taken in two steps: `match_preview` shows the effect, and the decision
carries the preview's `shown` and is refused if it would now do something else.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games import decisions, settlement
from games.models import Match
from games.prizes.payout import UNCOUNTED, PrizeEnding
from games.selectors import table_state
from games.services.commit import TableChange, table_lock
from games.settlement import SettledMatch
from games.table import commands as cmd
from games.table.errors import MatchOver, TableError
from games.table.state import TableState
from games.table.verdict import Verdict, adjudged, verdict_of
from kit.database import database_now_ms

PERMISSION: Final = "games.decide_match"
VOID: Final = "match.void"
ADJUDICATE: Final = "match.adjudicate"


class MayNotDecide(TableError):
    """This person has no right to decide matches, or plays in this one."""

    code = "not_allowed"
    staff_sentence = _(
        "You may not do this: you lack the right, it is about yourself, or it takes a"
        " second person."
    )


class ReasonMissing(TableError):
    """A decision about a match needs a reason."""

    code = "reason_missing"
    staff_sentence = _("A decision needs a reason.")


class PreviewChanged(TableError):
    """The decision would no longer do what was shown; look at it again."""

    code = "preview_changed"
    staff_sentence = _("The match has gone on: this is what would happen now. Look at it again.")


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a decision (`content`) and the state it is based on (`before`).

    `kind` is `VOID` or `ADJUDICATE`; `foreseen` has the payouts, the rake, and the ratings as they
    would be changed now.
    """

    kind: str
    verdict: Verdict | None
    content: Mapping[str, Any]
    before: Mapping[str, Any]
    foreseen: SettledMatch

    @property
    def shown(self) -> str:
        """The token a decision has to carry: it changes with every amount and every score."""
        text = json.dumps([self.kind, dict(self.content), dict(self.before)], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class DecidedMatch:
    """A match after a decision; `proposal_id` where the decision waits for a second person."""

    match: Match
    proposal_id: int | None = None


@dataclass(frozen=True, slots=True)
class _Case:
    """A match with its table, locked, and what is to be done with it."""

    match: Match
    change: TableChange
    preview: Preview


def match_preview(*, match_id: UUID, verdict: Verdict | None) -> Preview:
    """The effect of voiding this match (no verdict) or adjudicating it now.

    Raises `MatchOver`, and `ImpossibleResult` for a verdict it can no longer have.
    """
    match = Match.objects.select_related("table").get(pk=match_id)
    return _preview(match, table_state(match.table), verdict)


def match_void(
    *,
    match_id: UUID,
    actor: User,
    reason: str,
    shown: str,
    verified_at: datetime | None = None,
) -> DecidedMatch:
    """Let a match count for nothing: stakes and rake back, ratings corrected.

    Works on a running match and on a settled one. Raises `MayNotDecide`, `ReasonMissing`,
    `PreviewChanged`, `MatchOver` if it counts for nothing already, and of `ledger.errors`
    `SecondPersonFresh`, `SecondFactorStale`, `ProposalWaits`, and `InsufficientCredits` if the
    winner of a settled match has spent what they would have to give back.
    """
    return _decide(match_id, None, actor, reason, shown, verified_at)


def match_adjudicate(
    *,
    match_id: UUID,
    verdict: Verdict,
    actor: User,
    reason: str,
    shown: str,
    verified_at: datetime | None = None,
) -> DecidedMatch:
    """End a running match with this result, paid and rated as any other.

    Raises as `match_void` does, and `ImpossibleResult`.
    """
    return _decide(match_id, verdict, actor, reason, shown, verified_at)


def match_void_decided(*, match_id: UUID, actor: User, approver: User, reason: str) -> bool:
    """Void a match that two people have decided elsewhere; return whether this changed anything.

    Both are entered: `actor` carries it out, `approver` decided before. Raises `MayNotDecide`,
    and of `ledger.errors` `SecondPersonFresh`, and `InsufficientCredits` if the winner has
    spent what they would have to give back.
    """
    with transaction.atomic(durable=True):
        match, change = _locked(match_id, actor, approver)
        if match.ended_at and PrizeEnding(match.ending) in UNCOUNTED:
            return False
        case = _Case(match, change, _preview(match, change.state, None))
        _carry_out(case, actor, reason, {"decided_by": approver.pk}, proposer=approver)
        return True


def plays_in(proposal: Any, person: User) -> bool:
    """Whether this person plays in the match that a proposal is about."""
    return person.pk in Match.objects.get(pk=proposal.subject.removeprefix("match:")).players


@decisions.proposal_kind(VOID, ADJUDICATE, permission=PERMISSION, concerns=plays_in)
def _confirm(proposal: Any, actor: User) -> None:
    """Second person: carry out a decision, if the match has not gone on since."""
    match_id = proposal.subject.removeprefix("match:")
    verdict = _verdict_in(proposal.content) if proposal.kind == ADJUDICATE else None
    match, change = _locked(UUID(match_id), actor, proposal.proposed_by)
    case = _Case(match, change, _preview(match, change.state, verdict))
    decisions.proposal_holds(proposal, case.preview.before, case.preview.content)
    after = {"proposal": proposal.pk}
    _carry_out(case, actor, proposal.reason, after, proposer=proposal.proposed_by)


def _decide(
    match_id: UUID,
    verdict: Verdict | None,
    actor: User,
    reason: str,
    shown: str,
    verified_at: datetime | None,
) -> DecidedMatch:
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    with transaction.atomic(durable=True):
        match, change = _locked(match_id, actor)
        case = _Case(match, change, _preview(match, change.state, verdict))
        if case.preview.shown != shown:
            raise PreviewChanged("the decision would no longer do what was shown")
        if decisions.decided_alone(match.stake_cents, actor, verified_at):
            after = {"alone_cents": match.stake_cents}
            return DecidedMatch(_carry_out(case, actor, reason.strip(), after))
        proposal = decisions.proposal_make(
            actor=actor,
            kind=case.preview.kind,
            subject=match.reference,
            content=case.preview.content,
            before=case.preview.before,
            reason=reason,
            verified_at=verified_at,
        )
        return DecidedMatch(match, proposal.pk)


def _locked(match_id: UUID, actor: User, *proposers: User) -> tuple[Match, TableChange]:
    """The match under the lock of its table, for a person who may decide it.

    The proposer of a confirmed decision must still be another person than its players.
    """
    if not actor.has_perm(PERMISSION):
        raise MayNotDecide("you have no right to decide matches")
    table = table_lock(Match.objects.values_list("table_id", flat=True).get(pk=match_id))
    match = Match.objects.get(pk=match_id)
    for person in (actor, *proposers):
        if person.pk in match.players:
            raise MayNotDecide("nobody decides a match they play in")
        decisions.decider_check(match.players, person)
    return match, TableChange(table, table_state(table), database_now_ms())


def _preview(match: Match, state: TableState, verdict: Verdict | None) -> Preview:
    before: dict[str, Any] = {"ending": match.ending, "winner_seat": match.winner_seat}
    if verdict is not None:
        if not _is_present(state, match):
            raise MatchOver("the match is over")
        fields = (verdict.winner, verdict.score, verdict.level, verdict.cube)
        verdict = verdict_of(state, *fields)
        foreseen = settlement.match_foresee(match, adjudged(state, verdict))
        assert state.match is not None
        game = state.game.number if state.game else 0
        before |= {"score": list(state.match.score), "game": game}
        content = _verdict_out(verdict) | _figures(foreseen)
        return Preview(ADJUDICATE, verdict, content, before, foreseen)
    if match.ended_at and PrizeEnding(match.ending) in UNCOUNTED:
        raise MatchOver("the match counts for nothing already")
    foreseen = settlement.void_foresee(match)
    before |= {"paid_cents": match.paid_cents, "rake_cents": match.rake_cents}
    return Preview(VOID, None, _figures(foreseen), before, foreseen)


def _figures(foreseen: SettledMatch) -> dict[str, Any]:
    paid = foreseen.payout
    return {"paid_cents": list(paid.paid_cents), "rake_cents": paid.rake_cents}


def _verdict_out(verdict: Verdict) -> dict[str, Any]:
    return {
        "winner_seat": verdict.winner,
        "score": list(verdict.score),
        "level": verdict.level,
        "cube": verdict.cube,
    }


def _verdict_in(content: Mapping[str, Any]) -> Verdict:
    one, two = content["score"]
    return Verdict(
        winner=content["winner_seat"],
        score=(one, two),
        level=content["level"],
        cube=content["cube"],
    )


def _is_present(state: TableState, match: Match) -> bool:
    """Whether the table still has this match: not after a rematch, and not once it is closed."""
    return state.phase != "closed" and state.match is not None and state.match.id == str(match.pk)


def _carry_out(
    case: _Case,
    actor: User,
    reason: str,
    after: Mapping[str, Any],
    *,
    proposer: User | None = None,
) -> Match:
    """Void or adjudicate, pay and rate, and enter it in the journal; the books come last."""
    match, change, preview = case.match, case.change, case.preview
    transfer = None
    if preview.verdict is not None:
        verdict = preview.verdict
        command = cmd.Adjudicate(
            winner=verdict.winner, score=verdict.score, level=verdict.level, cube=verdict.cube
        )
        change.give(command)
        change.store()
    elif _is_present(change.state, match):
        if match.ended_at is not None:
            change.transfer = settlement.match_take_back(match, actor, reason, proposer)
        change.give(cmd.Void())
        change.store()
    else:
        transfer = settlement.match_take_back(match, actor, reason, proposer)
        _void_past(match)
    match.refresh_from_db()
    decisions.journal_record(
        actor=actor,
        verb=preview.kind,
        subject=match.reference,
        before=preview.before,
        after={
            "ending": match.ending,
            "winner_seat": match.winner_seat,
            "stake_cents": match.stake_cents,
            **preview.content,
            **after,
        },
        reason=reason,
    )
    if transfer is not None:
        transfer()
    return match


def _void_past(match: Match) -> None:
    """Write that a settled match that its table has no more counts for nothing."""
    match.winner_seat, match.points, match.ending = None, 0, PrizeEnding.VOIDED.value
    match.paid_cents, match.rake_cents = [match.stake_cents, match.stake_cents], 0
    match.save(update_fields=["winner_seat", "points", "ending", "paid_cents", "rake_cents"])
