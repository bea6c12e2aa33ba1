"""Tables for two as a kind of table. Their audits need the ratings: see `pasch.audits.matches`."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy

from games.kinds import Credits, RunningFigure, TableKind, by_label
from games.models import Match, Table
from games.personal_data import PERSONAL_DATA
from games.services.gains import MATCH_GAINS
from games.services.leaving import is_playing
from games.services.lobby import people_waiting, tables_close_of
from games.services.match_decisions import MatchCase
from games.services.tables import table_wake, tables_due

_ESCROWS: Final = """
    SELECT 'matches', m.ended_at IS NULL, a.balance_cents,
        CASE WHEN m.ended_at IS NULL THEN 2 * m.stake_cents ELSE 0 END
    FROM games_match m LEFT JOIN ledger_account a ON a.key = 'escrow:match:' || m.id
    WHERE m.ended_at IS NULL OR m.ended_at > now() - interval '10 minutes'
"""


def _figures() -> Iterator[RunningFigure]:
    running = by_label(Match.objects.filter(ended_at=None), "mode")
    yield RunningFigure("pasch_matches_running", "Matches being played, by mode.", "mode", running)
    waiting = by_label(Table.objects.filter(phase="open"), "mode")
    yield RunningFigure(
        "pasch_tables_open", "Tables that wait for a guest, by mode.", "mode", waiting
    )


KIND: Final = TableKind(
    key="match",
    subject=gettext_lazy("Match %(id)s"),
    subject_page="desk:match",
    holds=is_playing,
    holds_words=gettext_lazy("You have a running match. Finish it first."),
    holds_page="lobby",
    holds_at_desk=gettext_lazy("a match is running"),
    personal_data=PERSONAL_DATA,
    figures=_figures,
    credits=Credits(escrow_name="matches", escrows=_ESCROWS, gains=MATCH_GAINS),
    void=MatchCase,
    still_open=lambda: Table.objects.exclude(phase="closed"),
    due=tables_due,
    move_on=table_wake,
    waiting=people_waiting,
    leave=tables_close_of,
)
