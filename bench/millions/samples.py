"""Real play before the filling: matches with events, and rows that are copied.

The copies need the state of an open table, of a table at which two play, and of closed ones, and
the terms of each mode. All of them are made by the services that make them in a real house.
"""

from dataclasses import dataclass
from typing import Any, Final

TURNS: Final = 3


@dataclass(frozen=True, slots=True)
class Samples:
    """The ids of what is copied."""

    open_tables: tuple[str, ...]
    running_table: str
    tournaments: tuple[str, str]
    """A sit-and-go that fills, and one with a time."""


def made(matches: int) -> Samples:
    """Play so many matches, open two tables and begin one; returns what is to be copied."""
    from django.conf import settings

    from games.models import Table
    from games.selectors import prices
    from games.services.figures import figures_make
    from games.services.tables import table_join, table_open
    from harness.simulator.booked import booked_table, players

    settings.DICE_SOURCE = "harness.simulator.booked.RandomDice"
    people = players()
    for number in range(matches):
        booked_table(1, number, people)
    while figures_make():
        pass
    one, two = people
    stake = prices().prize_stakes_cents[0]
    opened = [
        table_open(user=one, mode="normal"),
        table_open(user=two, mode="prize5", stake_cents=stake),
    ]
    three, four = players()
    running = table_open(user=three, mode="normal")
    table_join(user=four, table_id=running.pk)
    _turns(running.pk, (three, four))
    closed = Table.objects.filter(phase="closed").count()
    assert closed, "the matches that were played have closed tables"
    return Samples(
        open_tables=tuple(str(table.pk) for table in opened),
        running_table=str(running.pk),
        tournaments=_tournaments(),
    )


def _turns(table_id: Any, people: tuple[Any, Any]) -> None:
    from random import Random
    from uuid import uuid4

    from games.models import Table
    from games.selectors import table_state
    from games.services.tables import table_command
    from games.table import commands as cmd
    from games.table.rights import actions
    from harness.simulator.probe import a_play

    random = Random(7)
    for _turn in range(2 * TURNS):
        state = table_state(Table.objects.get(pk=table_id))
        seat = state.decider
        assert seat is not None, "somebody is to decide at a table where two play"
        rolls = "roll" in actions(state, seat)
        command = cmd.Roll() if rolls else cmd.Play(moves=a_play(state, random))
        table_command(
            table_id=table_id,
            user_id=people[seat].pk,
            command_id=str(uuid4()),
            seen_seq=state.seq,
            command=command,
        )


def _tournaments() -> tuple[str, str]:
    from datetime import timedelta

    from django.utils import timezone

    from tournaments.engine.terms import TournamentTerms
    from tournaments.services.holding import tournament_hold

    terms = TournamentTerms("knockout", length=1, least=8, most=8)
    fills = tournament_hold(founder=None, name="Sample", terms=terms, fee_cents=0, offer="sample")
    later = timezone.now() + timedelta(days=3)
    timed = tournament_hold(
        founder=None, name="Sample", terms=terms, fee_cents=0, offer="", starts_at=later
    )
    return str(fills.pk), str(timed.pk)
