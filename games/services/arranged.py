"""Tables that somebody else arranges: both players sit down at once, and the match begins."""

from uuid import uuid4

from django.db.models import Q

from games.models import Match, StoredEvent, Table
from games.modes.terms import Terms
from games.services.seats import GIVEN_UP, table_create
from games.services.tables import table_shut, tables_lock
from games.table import commands as cmd


def table_arrange(players: tuple[int, int], terms: Terms) -> tuple[Table, str]:
    """Seat both players, inside the caller's transaction; the table and the id of its match.

    Tables at which one of the two waits are closed. Raises `Busy`, and what `account_check` does.
    """
    for waiting in tables_lock(Q(opener__in=players, phase="open")).values():
        table_shut(waiting)
    change = table_create(players[0], terms, arranged=True)
    match_id = str(uuid4())
    change.give(cmd.Sit(player=players[1], match=match_id))
    change.store()
    return change.table, match_id


def seat_given_up(match: Match) -> int | None:
    """The seat that stood up, or ran out of time, before the first roll; None without one."""
    if match.ending != "stood_up":
        return None
    last = (
        StoredEvent.objects.filter(table=match.table_id, type__in=GIVEN_UP).order_by("seq").last()
    )
    return None if last is None else int(last.payload["seat"])
