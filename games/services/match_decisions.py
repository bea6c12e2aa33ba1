"""Deciding a match for two: voiding it, or adjudicating one that runs.

Voiding gives back stakes and rake and corrects the ratings, of a running match and of a settled
one. An adjudicated match is paid and rated as any other.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from accounts.models import User
from games import settlement
from games.models import Match
from games.prizes import UNCOUNTED, PrizeEnding
from games.selectors import table_state
from games.services.administration import (
    Decidable,
    Effect,
    carry_out,
    checked,
    decide,
    decision_register,
)
from games.services.commit import TableChange, table_lock
from games.table import commands as cmd
from games.table.errors import MatchOver
from games.table.state import TableState
from games.table.verdict import Verdict, adjudged, verdict_of
from kit.database import database_now_ms

VOID: Final = "match.void"
ADJUDICATE: Final = "match.adjudicate"


class MatchCase(Decidable):
    """A match that is voided, or decided by a verdict. Raises `Match.DoesNotExist`."""

    def __init__(self, match_id: UUID, lock: bool = False, verdict: Verdict | None = None) -> None:
        tables = Match.objects.values_list("table_id", flat=True)
        table = table_lock(tables.get(pk=match_id)) if lock else None
        self.match = Match.objects.select_related("table").get(pk=match_id)
        self._table = table or self.match.table
        self.verdict = verdict
        self.reference, self.stake_cents = self.match.reference, self.match.stake_cents
        self.players = self.people = self.match.players

    def effect(self) -> Effect:
        """Return the payouts and ratings.

        Raises `MatchOver`, and `ImpossibleResult` for a verdict that the match can no longer have.
        """
        match = self.match
        before: dict[str, Any] = {"ending": match.ending, "winner_seat": match.winner_seat}
        if self.verdict is None:
            if self.is_void:
                raise MatchOver("the match counts for nothing already")
            before |= {"paid_cents": match.paid_cents, "rake_cents": match.rake_cents}
            return self._foreseen(VOID, settlement.void_foresee(match), before)
        state = table_state(self._table)
        if not self._is_present(state):
            raise MatchOver("the match is over")
        given = self.verdict
        self.verdict = verdict_of(state, given.winner, given.score, given.level, given.cube)
        assert state.match is not None
        game = state.game.number if state.game else 0
        before |= {"score": list(state.match.score), "game": game}
        foreseen = settlement.match_foresee(match, adjudged(state, self.verdict))
        return self._foreseen(ADJUDICATE, foreseen, before, _verdict_out(self.verdict))

    def _foreseen(
        self,
        verb: str,
        foreseen: settlement.SettledMatch,
        before: Mapping[str, Any],
        details: Mapping[str, Any] | None = None,
    ) -> Effect:
        elos = zip(foreseen.elo_before, foreseen.elo_after, strict=True)
        return Effect(
            verb=verb,
            paid_cents=dict(zip(self.players, foreseen.payout.paid_cents, strict=True)),
            rake_cents=foreseen.payout.rake_cents,
            before=before,
            details=details or {},
            elos=dict(zip(self.players, elos, strict=True)),
        )

    @property
    def is_void(self) -> bool:
        """Whether the match counts for nothing already."""
        match = self.match
        return match.ended_at is not None and PrizeEnding(match.ending) in UNCOUNTED

    def _is_present(self, state: TableState) -> bool:
        """Whether the table still has this match: not after a rematch, nor once it is closed."""
        there = state.match is not None and state.match.id == str(self.match.pk)
        return there and state.phase != "closed"

    def carry_out(
        self, actor: User, reason: str, proposer: User | None
    ) -> tuple[Mapping[str, Any], Callable[[], object] | None]:
        """Void or adjudicate, pay and rate."""
        match, verdict, last = self.match, self.verdict, None
        change = TableChange(self._table, table_state(self._table), database_now_ms())
        if verdict is not None:
            command = cmd.Adjudicate(
                winner=verdict.winner, score=verdict.score, level=verdict.level, cube=verdict.cube
            )
            change.give(command)
            change.store()
        elif self._is_present(change.state):
            if match.ended_at is not None:
                change.transfer = settlement.match_take_back(match, actor, reason, proposer)
            change.give(cmd.Void())
            change.store()
        else:
            last = settlement.match_take_back(match, actor, reason, proposer)
            _void_past(match)
        match.refresh_from_db()
        return {"ending": match.ending, "winner_seat": match.winner_seat}, last


def match_adjudicate(
    *,
    match_id: UUID,
    verdict: Verdict,
    actor: User,
    reason: str,
    shown: str,
    verified_at: datetime | None = None,
) -> int | None:
    """End a running match with this result; raises and answers as `decide` does."""
    opened = partial(MatchCase, match_id, True, verdict)
    return decide(opened, actor=actor, reason=reason, shown=shown, verified_at=verified_at)


def match_void_decided(*, match_id: UUID, actor: User, approver: User, reason: str) -> bool:
    """Void a match that two people have decided elsewhere; return whether this changed anything.

    Both are entered: `actor` carries it out, `approver` decided before. Raises `MayNotDecide`,
    and of `ledger.errors` `SecondPersonFresh`, and `InsufficientCredits` if the winner has
    spent what they would have to give back.
    """
    with transaction.atomic(durable=True):
        case = checked(partial(MatchCase, match_id, True), actor, approver)
        if case.is_void:
            return False
        after = {"decided_by": approver.pk}
        carry_out(case, case.effect(), actor, reason, after, proposer=approver)
        return True


def _adjudicated(proposal: Any, lock: bool) -> MatchCase:
    """The case of a proposal to adjudicate."""
    match_id = UUID(proposal.subject.removeprefix("match:"))
    return MatchCase(match_id, lock, verdict_in(proposal.content))


decision_register(ADJUDICATE, _adjudicated)


def _verdict_out(verdict: Verdict) -> dict[str, Any]:
    return {
        "winner_seat": verdict.winner,
        "score": list(verdict.score),
        "level": verdict.level,
        "cube": verdict.cube,
    }


def verdict_in(content: Mapping[str, Any]) -> Verdict:
    """The verdict in the content of a proposal."""
    one, two = content["score"]
    return Verdict(
        winner=content["winner_seat"],
        score=(one, two),
        level=content["level"],
        cube=content["cube"],
    )


def _void_past(match: Match) -> None:
    """Write that a settled match that its table has no more counts for nothing."""
    match.winner_seat, match.points, match.ending = None, 0, PrizeEnding.VOIDED.value
    match.paid_cents, match.rake_cents = [match.stake_cents, match.stake_cents], 0
    match.save(update_fields=["winner_seat", "points", "ending", "paid_cents", "rake_cents"])
