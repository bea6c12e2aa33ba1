"""Many analysed matches of a person, as rows alone: without events, so no page of a match opens."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, transaction

from accounts.models import User
from analysis.models import Report, ThemeSum
from games.models import Match, PlayerMatch, Table


@dataclass(frozen=True, slots=True)
class Past:
    """An analysed match: its end, and what of each theme the person lost in so many decisions."""

    ended_at: datetime
    losses: dict[str, tuple[int, float]]
    variant: str = "backgammon"
    gift: float = 0.0
    in_points: bool = False
    version: str = "1"


def history_make(person: User, opponent: User, matches: Sequence[Past]) -> list[Match]:
    """Store the matches with a full report each; the opponent lost nothing and had no luck."""
    table = Table.objects.create(
        opener=person, mode="normal", variant="backgammon", stake_cents=0, phase="closed", seq=0,
        state={},
    )  # fmt: skip
    made = [
        Match(
            table=table, number=number, mode="match", variant=past.variant, player_0=person,
            player_1=opponent, stake_cents=0, winner_seat=0, ending="resigned", score=[3, 0],
            started_at=past.ended_at, ended_at=past.ended_at,
        )
        for number, past in enumerate(matches, start=1)
    ]  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Match.objects.bulk_create(made)
        PlayerMatch.objects.bulk_create(
            PlayerMatch(
                match=match, seat=seat, player_id=match.players[seat], is_open=True,
                opponent_id=match.players[1 - seat], ended_at=match.ended_at,
            )
            for match in made for seat in (0, 1)
        )  # fmt: skip
        cursor.execute("SET LOCAL session_replication_role = origin")
    for match, past in zip(made, matches, strict=True):
        report_make_up(match, past)
    return made


def report_make_up(match: Match, past: Past) -> Report:
    """Store a full report with these sums of seat 0."""
    report = Report.objects.create(
        match=match, engine="bgsage", version=past.version, depth="full", figures=[{}, {}]
    )
    ThemeSum.objects.bulk_create(
        ThemeSum(
            report=report, seat=0, theme=theme, counted=counted, lost=lost, counted_lost=lost,
            squares=2 * lost * lost / max(1, counted), in_points=past.in_points,
            gift=past.gift if number == 0 else 0.0,
        )
        for number, (theme, (counted, lost)) in enumerate(past.losses.items())
    )  # fmt: skip
    return report
