"""Credits that are handed over, and opinions about it."""

from typing import Any

from django.utils import timezone

from accounts.models import User
from fairplay.models import Case
from fairplay.procedure import CaseVerdict, Sanction
from fairplay.reviews import opinion_give
from games.models import Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.sitting import Sitting

STAKED = {"mode": "prize5", "stake_cents": 500}


def handed_over(giver: User, taker: User, **terms: Any) -> Match:
    """A match for credits that the giver leaves after the first roll."""
    table = table_open(user=giver, **(terms or STAKED))
    table_join(user=taker, table_id=table.pk)
    played = Sitting(table, (giver, taker))
    played.turn()
    played.give(0, cmd.Leave())
    return Match.objects.get(table=table)


def judged(
    case: Case, reviewer: User, sanction: Sanction = Sanction.CLOSED, *, refund: bool = True
) -> None:
    """An opinion of this reviewer."""
    opinion_give(
        case_id=case.pk,
        actor=reviewer,
        verdict=CaseVerdict(sanction, refund),
        for_them="They have played for a year.",
        reasons="Every match was given up.",
        verified_at=timezone.now(),
    )
