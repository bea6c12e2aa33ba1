"""Matches as rows alone, for tests about credits in which no one plays."""

from uuid import UUID

from django.utils import timezone

from accounts.models import User
from games.models import Match, Table
from ledger.services.books import escrow_resolve, stakes_escrow


def match_paid(
    reference: str, *, winner: User, loser: User, stake_cents: int, paid_cents: int, rake_cents: int
) -> Match:
    """A match that this player won, as a row and in the books."""
    stakes = {winner.pk: stake_cents, loser.pk: stake_cents}
    now = timezone.now()
    table = Table.objects.create(
        opener=winner, guest=loser, mode="prize5", variant="backgammon", stake_cents=stake_cents,
        phase="over", seq=0, state={},
    )  # fmt: skip
    match = Match.objects.create(
        id=UUID(reference.removeprefix("match:")), table=table, number=1, mode="prize5",
        variant="backgammon", player_0=winner, player_1=loser, stake_cents=stake_cents,
        winner_seat=0, ending="resigned", points=5, score=[5, 0], rake_cents=rake_cents,
        paid_cents=[paid_cents, 0], started_at=now, ended_at=now,
    )  # fmt: skip
    stakes_escrow(reference=reference, stakes=stakes)
    escrow_resolve(
        reference=reference, payouts={winner.pk: paid_cents}, rake_cents=rake_cents, kind="result"
    )
    return match
