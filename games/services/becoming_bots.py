"""Conditions for turning an account into a bot's: everything that leads to stakes has ended.

This check comes early and names the reason. The database enforces the rule: no stake of a bot
enters an escrow, and an account cannot become a bot's while one of its stakes is in an escrow
(ledger/migrations/sql/limits.sql).
"""

from django.db.models import Q

from accounts.models import User
from accounts.tokens import StillAtStakes
from games.models import Challenge, ChallengeState, Match, Table
from games.selectors import table_state
from kit.database import database_now_ms, moment


def stakes_end_first(*, user: User, **_: object) -> None:
    """Do nothing for an account that has nothing to do with stakes. Raises `StillAtStakes`."""
    reason = _reason(user.pk)
    if reason:
        raise StillAtStakes(reason)


def _reason(user_id: int) -> str:
    if Table.objects.filter(opener=user_id, phase="open", stake_cents__gt=0).exists():
        return "table"
    plays = Q(player_0=user_id) | Q(player_1=user_id)
    if Match.objects.filter(plays, ended_at=None, stake_cents__gt=0).exists():
        return "match"
    if _is_challenged(user_id):
        return "challenge"
    return "rematch" if _wishes_rematch(user_id) else ""


def _is_challenged(user_id: int) -> bool:
    """Whether a challenge with a stake waits, of this player or for this player."""
    waiting = Challenge.objects.filter(
        Q(challenger=user_id) | Q(challenged=user_id),
        state=ChallengeState.WAITING,
        expires_at__gt=moment(database_now_ms()),
        terms__stake_cents__gt=0,
    )
    return waiting.exists()


def _wishes_rematch(user_id: int) -> bool:
    sat = Q(opener=user_id) | Q(guest=user_id)
    for table in Table.objects.filter(sat, phase="over", stake_cents__gt=0):
        state = table_state(table)
        seat = state.seat_of(user_id)
        if seat is not None and state.rematch[seat]:
            return True
    return False
