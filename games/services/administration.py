"""What administrators may do with a match: void it, or decide it. Always with a reason."""

from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from games import settlement
from games.models import Match
from games.prizes.payout import UNCOUNTED, Ending
from games.selectors import table_state
from games.services.commit import Change, database_now_ms, table_lock
from games.table import commands as cmd
from games.table.errors import MatchOver, TableError

PERMISSION = "games.decide_match"


class NotAllowed(TableError):
    """This person has no right to decide matches, or plays in this one."""

    code = "not_allowed"


class ReasonMissing(TableError):
    """A decision about a match needs a reason."""

    code = "reason_missing"


def match_void(*, match_id: UUID, actor: AbstractUser, reason: str) -> Match:
    """Let a match count for nothing: stakes and rake back, ratings corrected.

    Works on a running match and on a settled one. Raises `NotAllowed`, `ReasonMissing`,
    `MatchOver` if it counts for nothing already, and `ledger.errors.InsufficientCredits` if the
    winner of a settled match has spent what he would have to give back.
    """
    with transaction.atomic(durable=True):
        change, match, before = _take_up(match_id, actor, reason)
        if not _is_present(change, match):
            return _void_past(match, actor, before, reason)
        if match.ended_at is not None:
            change.transfer = settlement.match_take_back(match, actor, reason)
        change.give(cmd.Void())
        return _store(change, match, actor, "match.void", before, reason)


def match_adjudicate(
    *, match_id: UUID, winner_seat: int, actor: AbstractUser, reason: str
) -> Match:
    """End a running match with this seat as its winner, paid and rated as any other.

    Raises `NotAllowed`, `ReasonMissing`, `MatchOver`.
    """
    if winner_seat not in (0, 1):
        raise TableError(f"a match is won by seat 0 or seat 1, not {winner_seat!r}")
    with transaction.atomic(durable=True):
        change, match, before = _take_up(match_id, actor, reason)
        if not _is_present(change, match):
            raise MatchOver("the match is over")
        change.give(cmd.Adjudicate(winner=winner_seat))
        return _store(change, match, actor, "match.adjudicate", before, reason)


def _take_up(
    match_id: UUID, actor: AbstractUser, reason: str
) -> tuple[Change, Match, dict[str, object]]:
    if not actor.has_perm(PERMISSION):
        raise NotAllowed("you have no right to decide matches")
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    table = table_lock(Match.objects.values_list("table_id", flat=True).get(pk=match_id))
    match = Match.objects.get(pk=match_id)
    if actor.pk in match.players:
        raise NotAllowed("nobody decides his own match")
    change = Change(table, table_state(table), database_now_ms())
    return change, match, {"ending": match.ending, "winner_seat": match.winner_seat}


def _is_present(change: Change, match: Match) -> bool:
    """Whether this is the table's last match: after a rematch it knows only the newer one."""
    return change.state.match is not None and change.state.match.id == str(match.pk)


def _void_past(match: Match, actor: AbstractUser, before: dict[str, object], reason: str) -> Match:
    """Void a settled match whose table plays another one: row, ratings, credits, journal."""
    if Ending(match.ending) in UNCOUNTED:
        raise MatchOver("the match counts for nothing already")
    transfer = settlement.match_take_back(match, actor, reason)
    match.winner_seat, match.points, match.ending = None, 0, Ending.VOIDED.value
    match.paid_cents, match.rake_cents = [match.stake_cents, match.stake_cents], 0
    match.save(update_fields=["winner_seat", "points", "ending", "paid_cents", "rake_cents"])
    settlement.decision_record(match, actor, "match.void", before, reason.strip())
    transfer()
    return match


def _store(
    change: Change,
    match: Match,
    actor: AbstractUser,
    verb: str,
    before: dict[str, object],
    reason: str,
) -> Match:
    change.store()
    match.refresh_from_db()
    settlement.decision_record(match, actor, verb, before, reason.strip())
    return match
