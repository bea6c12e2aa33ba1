"""Reports that a tournament has changed: they carry no state, and go out after the commit.

`/ws/tournament/<id>/` and `/ws/tournaments/` pass them on (`tournaments/live.py`).
"""

from typing import Final
from uuid import UUID

from games.broadcast import publish, publish_on_commit
from games.wire import encode
from tournaments.models import Meeting, Tournament

#: the channel of the calendar and of the sit-and-gos that fill
CALENDAR_CHANNEL: Final = "tournaments"


def channel(tournament_id: object) -> str:
    """The name of a tournament's channel."""
    return f"tournament:{tournament_id}"


def change_tell(tournament: Tournament, *, listed: bool) -> None:
    """Report a change to those who follow the tournament, once it is committed.

    `listed`: the calendar shows it as well.
    """
    publish_on_commit(channel(tournament.pk), changed(tournament.seq))
    if listed:
        publish_on_commit(CALENDAR_CHANNEL, changed())


def score_tell(table_id: UUID) -> None:
    """Report the end of a game to those who follow the tournament of its table."""
    found = Meeting.objects.filter(table=table_id, undone=False)
    row = found.values_list("tournament", "tournament__seq").first()
    if row is not None:
        publish(channel(row[0]), encode(changed(row[1])))


def changed(seq: int | None = None) -> dict[str, str | int]:
    """The frame; `seq` is the number of the newest event of the tournament."""
    return {"type": "changed"} if seq is None else {"type": "changed", "seq": seq}
